#include "jni_support.hpp"

namespace mooring::jni {

std::string to_string(JNIEnv* env, jstring text) {
  char const* const chars = env->GetStringUTFChars(text, nullptr);
  if (chars == nullptr) throw std::bad_alloc{};
  std::string copy{chars};
  env->ReleaseStringUTFChars(text, chars);
  return copy;
}

}  // namespace mooring::jni
