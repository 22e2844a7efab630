// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <cstdlib>
#include <mutex>

#include "io_mooring_jni_ExitJni.h"
#include "thread_exit.hpp"

extern "C" JNIEXPORT void JNICALL Java_io_mooring_jni_ExitJni_skipNativeCleanup(JNIEnv*, jclass) {
  static std::once_flag once;
  mooring::skip_thread_cleanup();
  // Called before everything that was registered earlier, so no library gets to clean up.
  std::call_once(once, [] { on_exit([](int status, void*) { _exit(status); }, nullptr); });
}
