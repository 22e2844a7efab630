// SPDX-License-Identifier: Apache-2.0

#include "thread_exit.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdlib>
#include <thread>

namespace {

int cleanups = 0;

/// Cleanups of a library's key that ran when a thread ended which had used it.
int cleanups_of_a_thread(bool guarded) {
  pthread_key_t key{};
  pthread_key_create(&key, [](void*) { ++cleanups; });
  cleanups = 0;
  std::thread{[&] {
    if (guarded) mooring::guard_thread_exit();
    pthread_setspecific(key, &cleanups);
  }}.join();
  pthread_key_delete(key);
  return cleanups;
}

/// Not in the process of the other tests: it lasts.
[[noreturn]] void skip_and_exit() {
  mooring::skip_thread_cleanup();
  bool const as_promised = cleanups_of_a_thread(true) == 0 && cleanups_of_a_thread(false) == 1;
  std::_Exit(as_promised ? 0 : 1);
}

TEST(ThreadExit, CleansUpUnlessTold) { EXPECT_EQ(cleanups_of_a_thread(true), 1); }

TEST(ThreadExitDeathTest, SkipsTheCleanupOfGuardedThreads) {
  EXPECT_EXIT(skip_and_exit(), testing::ExitedWithCode(0), "");
}

}  // namespace
