// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

/// A pool with the reserve that a user gets.
pool& usual_pool(std::size_t size) {
  auto& p = leaked_pool({.size = size, .max_size = size, .threads = 2});
  EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  return p;
}

}  // namespace

TEST(Reserve, ServesLibcudfWhenJavaHasTakenAllItCan) {
  auto& p = usual_pool(256_MiB);
  auto cause = refusal_cause::off;
  std::vector<void*> java;
  for (auto const bytes : {64_MiB, 4_MiB, 100_KiB, 1_KiB}) {
    while (auto* const b = p.allocate(bytes, cause)) java.push_back(b);
  }
  EXPECT_EQ(cause, refusal_cause::exhausted);
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&] {
      std::vector<void*> held;
      for (std::size_t k = 0; k < 27; ++k) {
        auto* const b = p.allocate_ordered(64 + 100 * k, per_thread_stream);
        if (b == nullptr) ++refused;
        held.push_back(b);
      }
      for (auto* const b : held) {
        if (b != nullptr) p.free_ordered(b, per_thread_stream);
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(refused, 0) << "of 432";
  for (auto* const b : java) EXPECT_TRUE(p.free(b));
}

TEST(Reserve, OfASmallPoolIsAQuarter) {
  auto& p = usual_pool(16_MiB);
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(13_MiB, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::exhausted);
  auto* const most = must_allocate(p, 12_MiB);
  auto* const rest = p.allocate_ordered(4_MiB, per_thread_stream);
  EXPECT_NE(rest, nullptr);
  EXPECT_TRUE(p.free_ordered(rest, per_thread_stream));
  EXPECT_TRUE(p.free(most));
}

}  // namespace mooring
