// SPDX-License-Identifier: Apache-2.0

#include <jni.h>

#include <cstdlib>

namespace {

// The driver reads this variable when it starts. With its default of 8 queues, 16 tasks share
// queues, and a decode waits for other tasks' kernels: decoding many small units takes 2.6 times as
// long.
constexpr char const* queues = "CUDA_DEVICE_MAX_CONNECTIONS";
constexpr char const* most = "32";

}  // namespace

/// Called by the JVM when it loads the library, before Mooring's first CUDA call. The driver has no
/// other way to set this. Once and early, because setenv races with getenv in other threads.
extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM*, void*) {
  setenv(queues, most, /*overwrite=*/0);
  return JNI_VERSION_1_8;
}
