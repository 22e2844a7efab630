// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "io_mooring_jni_FileJni.h"
#include "jni_support.hpp"

namespace {

using mooring::jni::guarded;

[[noreturn]] void fail(std::string const& what) {
  throw mooring::jni::java_exception{"java/io/IOException", what + std::strerror(errno)};
}

/// Bytes as they are: JNI's own text is not UTF-8 beyond the basic multilingual plane.
std::string bytes_of(JNIEnv* env, jbyteArray array) {
  std::string out(static_cast<std::size_t>(env->GetArrayLength(array)), '\0');
  env->GetByteArrayRegion(array, 0, static_cast<jsize>(out.size()),
                          reinterpret_cast<jbyte*>(out.data()));
  return out;
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL Java_io_mooring_jni_FileJni_openNamed(JNIEnv* env, jclass,
                                                              jbyteArray name) {
  return guarded(env, [&]() -> jint {
    int const descriptor = open(bytes_of(env, name).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail("");
    return descriptor;
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_FileJni_close(JNIEnv*, jclass, jint descriptor) {
  close(descriptor);
}

JNIEXPORT jlong JNICALL Java_io_mooring_jni_FileJni_read(JNIEnv* env, jclass, jint descriptor,
                                                         jlong offset, jlong address, jlong bytes) {
  return guarded(env, [&]() -> jlong {
    auto* const to = mooring::jni::pointer<char>(address);
    jlong done = 0;
    while (done < bytes) {
      auto const now =
          pread(descriptor, to + done, static_cast<std::size_t>(bytes - done), offset + done);
      if (now == 0) break;
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) fail("Cannot read: ");
      done += now;
    }
    return done;
  });
}

JNIEXPORT jobject JNICALL Java_io_mooring_jni_FileJni_view(JNIEnv* env, jclass, jlong address,
                                                           jlong bytes) {
  return env->NewDirectByteBuffer(mooring::jni::pointer<void>(address), bytes);
}

}  // extern "C"
