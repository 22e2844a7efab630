// SPDX-License-Identifier: Apache-2.0

#include "adaptive_mutex.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace mooring {

namespace {

/// How often all threads together got in.
long add_from(int threads, int each, std::chrono::microseconds held) {
  adaptive_mutex mutex;
  long count = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      for (int i = 0; i < each; ++i) {
        std::lock_guard const lock{mutex};
        auto const before = count;
        if (held.count() > 0) std::this_thread::sleep_for(held);
        count = before + 1;
      }
    });
  }
  for (auto& t : all) t.join();
  return count;
}

}  // namespace

TEST(AdaptiveMutex, LetsOneThreadInAtATime) {
  EXPECT_EQ(add_from(16, 20'000, std::chrono::microseconds{0}), 320'000);
}

TEST(AdaptiveMutex, WakesThreadsThatSleepBecauseItIsHeldForLong) {
  EXPECT_EQ(add_from(8, 20, std::chrono::milliseconds{1}), 160);
}

}  // namespace mooring
