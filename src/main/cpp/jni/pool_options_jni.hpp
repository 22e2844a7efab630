// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "jni_support.hpp"
#include "mooring/pool_options.hpp"

namespace mooring::jni {

/// The fields of a Java object, by name. A name that its class lacks throws NoSuchFieldError.
class object_fields {
 public:
  object_fields(JNIEnv* env, jobject object)
      : env_{env}, object_{object}, class_{env->GetObjectClass(object)} {}

  std::size_t size(char const* name) const {
    return to_size(env_->GetLongField(object_, id(name, "J")));
  }
  int number(char const* name) const { return env_->GetIntField(object_, id(name, "I")); }
  bool flag(char const* name) const { return env_->GetBooleanField(object_, id(name, "Z")) != 0; }
  std::vector<int> numbers(char const* name) const {
    auto const array = env_->GetObjectField(object_, id(name, "[I"));
    return elements(env_, static_cast<jintArray>(array));
  }

 private:
  jfieldID id(char const* name, char const* signature) const {
    auto* const found = env_->GetFieldID(class_, name, signature);
    // The Java exception is pending; this one only ends the native method.
    if (found == nullptr) throw std::logic_error{name};
    return found;
  }

  JNIEnv* env_;
  jobject object_;
  jclass class_;
};

/// Reads the fields of io.mooring.jni.PoolOptions.
inline pool_options pool_options_of(JNIEnv* env, jobject java) {
  object_fields const options{env, java};
  return {.size = options.size("size"),
          .max_size = options.size("maxSize"),
          .fallback_limit = options.size("fallbackLimit"),
          .threads = options.number("threads"),
          .device = options.number("device"),
          .numa_nodes = options.numbers("numaNodes"),
          .checks = options.flag("checks")};
}

}  // namespace mooring::jni
