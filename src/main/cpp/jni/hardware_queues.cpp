// SPDX-License-Identifier: Apache-2.0

#include <jni.h>

#include <cstdlib>

namespace {

// The driver reads it when it starts. With its default of 8, work of 16 tasks shares queues, and a
// decode call waits for the kernels of others: decoding many small units takes 2.6 times as long.
constexpr char const* queues = "CUDA_DEVICE_MAX_CONNECTIONS";
constexpr char const* most = "32";

}  // namespace

/// Called by the JVM when it loads the library, which is before Mooring's first CUDA call. Once
/// and early, because a getenv of another thread beside it is a race; the driver takes it from
/// nowhere else.
extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM*, void*) {
  setenv(queues, most, /*overwrite=*/0);
  return JNI_VERSION_1_8;
}
