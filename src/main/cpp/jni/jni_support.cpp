#include "jni_support.hpp"

namespace mooring::jni {

// Not GetStringUTFChars: that is "modified" UTF-8, which writes characters beyond U+FFFF as two
// surrogates, and no file has such a name.
std::string to_string(JNIEnv* env, jstring text) {
  auto const get_bytes =
      env->GetMethodID(env->GetObjectClass(text), "getBytes", "(Ljava/lang/String;)[B");
  auto const encoding = env->NewStringUTF("UTF-8");
  auto const bytes = static_cast<jbyteArray>(env->CallObjectMethod(text, get_bytes, encoding));
  if (bytes == nullptr) throw std::bad_alloc{};
  std::string copy(static_cast<std::size_t>(env->GetArrayLength(bytes)), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(copy.size()),
                          reinterpret_cast<jbyte*>(copy.data()));
  return copy;
}

}  // namespace mooring::jni
