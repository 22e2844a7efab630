// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <jni.h>

#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace mooring::jni {

/// A Java exception that native code wants thrown: class name in JNI form, and message.
class java_exception : public std::runtime_error {
 public:
  java_exception(char const* class_name, std::string const& message)
      : std::runtime_error{message}, class_name_{class_name} {}
  char const* class_name() const { return class_name_; }

 private:
  char const* class_name_;
};

inline void raise(JNIEnv* env, char const* class_name, char const* message) {
  if (env->ExceptionCheck()) return;
  if (jclass const c = env->FindClass(class_name)) env->ThrowNew(c, message);
}

/// Runs `body`; whatever it throws becomes a Java exception, and the result a zero.
template <typename Body>
auto guarded(JNIEnv* env, Body&& body) noexcept -> decltype(body()) {
  using result = decltype(body());
  try {
    return body();
  } catch (java_exception const& e) {
    raise(env, e.class_name(), e.what());
  } catch (std::bad_alloc const&) {
    raise(env, "java/lang/OutOfMemoryError", "Native memory is exhausted");
  } catch (std::invalid_argument const& e) {
    raise(env, "java/lang/IllegalArgumentException", e.what());
  } catch (std::exception const& e) {
    raise(env, "java/lang/IllegalStateException", e.what());
  } catch (...) {
    raise(env, "java/lang/Error", "Unknown native failure");
  }
  if constexpr (!std::is_void_v<result>) return result{};
}

template <typename T>
T* pointer(jlong address) {
  return reinterpret_cast<T*>(address);
}

inline std::size_t to_size(jlong bytes) {
  if (bytes < 0) throw std::invalid_argument{"A size is negative"};
  return static_cast<std::size_t>(bytes);
}

inline std::vector<jlong> elements(JNIEnv* env, jlongArray array) {
  std::vector<jlong> out(static_cast<std::size_t>(env->GetArrayLength(array)));
  env->GetLongArrayRegion(array, 0, static_cast<jsize>(out.size()), out.data());
  return out;
}

inline std::vector<jint> elements(JNIEnv* env, jintArray array) {
  std::vector<jint> out(static_cast<std::size_t>(env->GetArrayLength(array)));
  env->GetIntArrayRegion(array, 0, static_cast<jsize>(out.size()), out.data());
  return out;
}

inline jlongArray to_array(JNIEnv* env, std::span<std::int64_t const> values) {
  auto const count = static_cast<jsize>(values.size());
  auto* const out = env->NewLongArray(count);
  if (out != nullptr) env->SetLongArrayRegion(out, 0, count, values.data());
  return out;
}

}  // namespace mooring::jni
