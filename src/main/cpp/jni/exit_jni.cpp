#include <unistd.h>

#include <cstdlib>
#include <mutex>

#include "io_mooring_jni_ExitJni.h"
#include "mooring/thread_exit.hpp"

namespace {

// Called before everything that was registered earlier, so no library gets to clean up.
void end(int status, void*) { _exit(status); }

}  // namespace

extern "C" JNIEXPORT void JNICALL Java_io_mooring_jni_ExitJni_skipNativeCleanup(JNIEnv*, jclass) {
  static std::once_flag once;
  mooring::skip_thread_cleanup();
  std::call_once(once, [] { on_exit(end, nullptr); });
}
