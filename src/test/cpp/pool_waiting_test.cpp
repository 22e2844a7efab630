// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

pool& pool_with_fallback(std::size_t size, std::size_t limit) {
  return pageable_pool(size, nullptr, {.size = size, .max_size = size, .fallback_limit = limit});
}

/// As a Java buffer is had: from the pool, else in turn.
void* java_buffer(pool& p, std::size_t bytes, milliseconds time) {
  auto cause = refusal_cause::off;
  auto* const block = p.allocate(bytes, cause);
  return block != nullptr ? block : p.allocate_waiting(bytes, cause, time);
}

void give_back(pool& p, void* block) {
  if (!p.free(block)) impl_of(p).fallback().free(block);
}

std::uint64_t waits(pool const& p) { return impl_of(p).waiters().stats().waits; }

}  // namespace

TEST(PoolWaiting, ABufferThatExceedsPageableMemoryWaitsForThePool) {
  auto& p = pool_with_fallback(32_MiB, 4_MiB);
  auto* const held = must_allocate(p, 30_MiB);
  std::thread frees{[&] {
    while (waits(p) < 1) std::this_thread::yield();
    p.free(held);
  }};
  auto* const block = java_buffer(p, 8_MiB, std::chrono::seconds{60});
  frees.join();
  EXPECT_TRUE(p.owns(block));
}

TEST(PoolWaiting, WithoutPageableMemoryABufferWaitsForThePool) {
  auto& p = pool_with_fallback(32_MiB, 0);
  auto* const held = must_allocate(p, 32_MiB);
  std::thread frees{[&] {
    while (waits(p) < 1) std::this_thread::yield();
    p.free(held);
  }};
  EXPECT_TRUE(p.owns(java_buffer(p, 1_MiB, std::chrono::seconds{60})));
  frees.join();
}

TEST(PoolWaiting, OnlyWhatCouldNeverBeServedIsRefusedAtOnce) {
  auto& p = pool_with_fallback(32_MiB, 4_MiB);
  auto const before = clock::now();
  EXPECT_EQ(java_buffer(p, 33_MiB, std::chrono::seconds{60}), nullptr);
  EXPECT_LT(clock::now() - before, std::chrono::seconds{30});
  EXPECT_EQ(waits(p), 0U);
}

TEST(PoolWaiting, SmallWaitersAreServedBehindALargeOneThatCannotBe) {
  auto& p = pool_with_fallback(64_MiB, 64_MiB);
  std::vector<void*> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(must_allocate(p, 16_MiB));
  auto* const store = java_buffer(p, 64_MiB, milliseconds{0});
  ASSERT_TRUE(store != nullptr && !p.owns(store));
  std::atomic<void*> large{nullptr};
  std::thread first{[&] { large = java_buffer(p, 60_MiB, std::chrono::seconds{60}); }};
  while (waits(p) < 1) std::this_thread::yield();
  std::atomic<int> served{0};
  std::vector<std::thread> small;
  for (int i = 0; i < 8; ++i) {
    small.emplace_back(
        [&] { served += java_buffer(p, 64_KiB, std::chrono::seconds{60}) != nullptr; });
  }
  p.free(blocks[0]);
  p.free(blocks[1]);
  for (auto& t : small) t.join();
  EXPECT_EQ(served, 8);
  EXPECT_EQ(large, nullptr);
  impl_of(p).fallback().free(store);
  first.join();
  EXPECT_NE(large, nullptr);
}

TEST(PoolWaiting, ANewcomerDoesNotOvertake) {
  auto& p = pool_with_fallback(32_MiB, 0);
  auto* const half = must_allocate(p, 16_MiB);
  auto* const other_half = must_allocate(p, 16_MiB);
  std::thread waits_for_all{
      [&] { give_back(p, java_buffer(p, 32_MiB, std::chrono::seconds{60})); }};
  while (impl_of(p).waiters().empty()) std::this_thread::yield();
  p.free(half);
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(1_MiB, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::exhausted);
  p.free(other_half);
  waits_for_all.join();
  EXPECT_NE(p.allocate(1_MiB, cause), nullptr);
}

TEST(PoolWaiting, ALargeBufferIsNotStarvedByAStreamOfSmallOnes) {
  auto& p = pool_with_fallback(64_MiB, 0);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      std::vector<void*> held;
      for (int i = t; !stop; ++i) {
        if (held.size() < 5) {
          auto* const block = java_buffer(p, 2_MiB, milliseconds{1});
          if (block != nullptr) held.push_back(block);
        }
        std::this_thread::sleep_for(std::chrono::microseconds{200});
        if (held.empty() || i % 2 != 0) continue;
        p.free(held.front());
        held.erase(held.begin());
      }
      for (auto* const block : held) p.free(block);
    });
  }
  std::this_thread::sleep_for(milliseconds{50});
  auto* const large = java_buffer(p, 48_MiB, std::chrono::seconds{60});
  stop = true;
  for (auto& t : threads) t.join();
  EXPECT_NE(large, nullptr);
}

TEST(PoolWaiting, CallersThatHoldOneBufferEachAllMakeProgress) {
  constexpr int rounds = 200;
  auto& p = pool_with_fallback(2_MiB, 4_MiB);
  std::atomic<int> served{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        auto const bytes = (1 + static_cast<std::size_t>(t * 7 + i) % 4) * 1_MiB;
        auto* const block = java_buffer(p, bytes, std::chrono::seconds{60});
        if (block == nullptr) continue;
        std::memset(block, t, 1_MiB);
        served += static_cast<unsigned char const*>(block)[1_MiB - 1] == t;
        give_back(p, block);
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(served, 8 * rounds);
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_LE(impl_of(p).fallback().held(), 4_MiB);
}

}  // namespace mooring
