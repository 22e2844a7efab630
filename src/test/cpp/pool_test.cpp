// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "pool_impl.hpp"
#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

TEST(Pool, ServesSmallAndLargeBuffersFromItsOwnRange) {
  auto& p = pageable_pool(64_MiB);
  for (std::size_t bytes : {1UL, 64UL, 1000UL, 1_MiB, 1_MiB + 1, 10_MiB}) {
    auto* const block = must_allocate(p, bytes);
    EXPECT_TRUE(p.owns(block));
    EXPECT_EQ(reinterpret_cast<std::size_t>(block) % 64, 0U);
    std::memset(block, 0xAB, bytes);
    EXPECT_TRUE(p.free(block));
  }
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_EQ(stat(p, pool_stat::allocations), 6);
  EXPECT_EQ(stat(p, pool_stat::frees), 6);
}

TEST(Pool, TellsWhyItRefuses) {
  auto& p = pageable_pool(16_MiB);
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(17_MiB, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::exhausted);
  auto* const a = must_allocate(p, 5_MiB);
  auto* const b = must_allocate(p, 5_MiB);
  auto* const c = must_allocate(p, 5_MiB);
  p.free(a);
  p.free(c);
  EXPECT_EQ(p.allocate(8_MiB, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::fragmented);
  p.free(b);
  p.free(must_allocate(p, 15_MiB));
}

TEST(Pool, OfNoSizeIsOff) {
  auto& p = pageable_pool(0);
  auto cause = refusal_cause::exhausted;
  EXPECT_EQ(p.allocate(64, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::off);
}

TEST(Pool, GivesIdleSmallBlocksBackToLargeBuffers) {
  auto& p = pageable_pool(16_MiB);
  std::vector<void*> blocks;
  auto cause = refusal_cause::off;
  while (auto* const block = p.allocate(64_KiB, cause)) blocks.push_back(block);
  EXPECT_GT(blocks.size(), 200U);
  for (auto* const block : blocks) EXPECT_TRUE(p.free(block));
  p.free(must_allocate(p, 12_MiB));
}

TEST(Pool, RefusesForeignAndMisalignedAddresses) {
  auto& p = pageable_pool(16_MiB);
  auto* const small = static_cast<std::byte*>(must_allocate(p, 100));
  auto* const large = static_cast<std::byte*>(must_allocate(p, 2_MiB));
  int on_stack = 0;
  EXPECT_FALSE(p.free(&on_stack));
  EXPECT_FALSE(p.free(small + 1));
  EXPECT_FALSE(p.free(large + 64));
  EXPECT_FALSE(p.free_ordered(small, nullptr));
  EXPECT_TRUE(p.free(small));
  EXPECT_TRUE(p.free(large));
  EXPECT_FALSE(p.free(large));
}

TEST(Pool, TellsASecondFreeWhenCheckingIsOn) {
  auto& p = pageable_pool(16_MiB, nullptr, {.size = 0, .max_size = 0, .checks = true});
  auto* const block = must_allocate(p, 100);
  EXPECT_TRUE(p.free(block));
  EXPECT_FALSE(p.free(block));
}

TEST(Pool, GrowsOnRequestAndTrimsBack) {
  auto& p = pageable_pool(16_MiB, nullptr, {.size = 0, .max_size = 64_MiB});
  auto cause = refusal_cause::off;
  std::vector<void*> blocks;
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (std::chrono::steady_clock::now() < deadline) {
    // Served, not only counted.
    auto const grown = impl_of(p).filler().capacity() == 64_MiB && impl_of(p).filler().await({});
    auto* const block = p.allocate(2_MiB, cause);
    if (block != nullptr) blocks.push_back(block);
    if (grown && block == nullptr) break;
  }
  EXPECT_EQ(impl_of(p).filler().capacity(), 64_MiB);
  impl_of(p).filler().await(std::chrono::seconds{10});
  for (auto* const block : blocks) p.free(block);
  p.trim();
  EXPECT_EQ(impl_of(p).filler().capacity(), 64_MiB) << "all of it was in use a moment ago";
  p.trim();
  EXPECT_EQ(impl_of(p).filler().capacity(), 16_MiB);
  p.free(must_allocate(p, 8_MiB));
}

TEST(Pool, AJavaBufferMayLieInSeveralRegistrationsAndALibcudfBlockMayNot) {
  auto& p = pageable_pool(64_MiB, nullptr, {.size = 0, .max_size = 0, .extent_bytes = 8_MiB});
  EXPECT_EQ(p.allocate_ordered(9_MiB, nullptr), nullptr);
  auto* const whole = static_cast<std::byte*>(must_allocate(p, 64_MiB));
  for (auto at = 0_MiB; at < 64_MiB; at += 8_MiB) {
    EXPECT_EQ(p.max_copy_bytes(whole + at, 64_MiB - at), 8_MiB);
    EXPECT_EQ(p.max_copy_bytes(whole + at + 5, 8_MiB - 5), 8_MiB - 5);
  }
  EXPECT_TRUE(p.free(whole));
  EXPECT_EQ(stat(p, pool_stat::largest_free_run), static_cast<std::int64_t>(64_MiB));
  auto* const ordered = p.allocate_ordered(8_MiB, nullptr);
  ASSERT_NE(ordered, nullptr);
  EXPECT_EQ(p.max_copy_bytes(ordered, 8_MiB), 8_MiB);
  EXPECT_TRUE(p.free_ordered(ordered, nullptr));
}

TEST(Pool, GrowsByWhatABufferLongerThanAChunkNeeds) {
  auto& p = pageable_pool(16_MiB, nullptr, {.size = 0, .max_size = 128_MiB, .extent_bytes = 8_MiB});
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate_ordered(32_MiB, nullptr), nullptr);
  EXPECT_EQ(impl_of(p).filler().capacity(), 16_MiB) << "more chunks would not help libcudf";
  EXPECT_EQ(p.allocate(40_MiB, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::exhausted);
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  EXPECT_EQ(impl_of(p).filler().capacity(), 56_MiB);
  EXPECT_TRUE(p.free(must_allocate(p, 40_MiB)));
}

TEST(Pool, DoesNotGrowForABufferThatStillWouldFindNoRoom) {
  auto& p = pageable_pool(32_MiB, nullptr, {.size = 0, .max_size = 64_MiB, .extent_bytes = 8_MiB});
  auto* const held = must_allocate(p, 24_MiB);
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(48_MiB, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::exhausted);
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  EXPECT_EQ(impl_of(p).filler().capacity(), 32_MiB);
  EXPECT_EQ(p.allocate(40_MiB, cause), nullptr);
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  EXPECT_TRUE(p.free(must_allocate(p, 40_MiB)));
  EXPECT_TRUE(p.free(held));
}

TEST(Pool, LargeBuffersAreOfTheNodeOfTheThreadsDevice) {
  auto& p = pageable_pool(32_MiB, nullptr,
                          {.size = 0, .max_size = 0, .numa_nodes = {0, 1}, .extent_bytes = 16_MiB});
  auto const chunks = impl_of(p).filler().take_registrations();
  ASSERT_EQ(chunks.size(), 2U);
  auto const near = [&](extent const& where, std::size_t bytes) {
    set_thread_device(0, where.node);
    auto* const block = static_cast<std::byte*>(must_allocate(p, bytes));
    set_thread_device(-1);
    return block;
  };
  auto const& [here, there] = std::pair{chunks[0].where, chunks[1].where};
  auto* const block = near(here, 2_MiB);
  auto* const far = near(there, 2_MiB);
  EXPECT_EQ(static_cast<std::size_t>(std::abs(far - block)), 16_MiB);
  EXPECT_EQ(near(here, 14_MiB), block + 2_MiB);
  EXPECT_EQ(near(here, 2_MiB), far + 2_MiB) << "better far than not at all";
}

TEST(Pool, ASmallPoolKeepsLittleInTheCachesOfThreads) {
  auto& p = pageable_pool(16_MiB);
  std::vector<void*> blocks;
  for (int i = 0; i < 64; ++i) blocks.push_back(must_allocate(p, 16_KiB));
  for (auto* const block : blocks) p.free(block);
  EXPECT_LE(stat(p, pool_stat::cached_bytes), static_cast<std::int64_t>(16_MiB / 64));
}

TEST(Pool, AThreadThatEndsLeavesNothingBehind) {
  auto& p = pageable_pool(16_MiB);
  std::thread{[&] { p.free(must_allocate(p, 100)); }}.join();
  EXPECT_EQ(stat(p, pool_stat::cached_bytes), 0);
  EXPECT_EQ(stat(p, pool_stat::allocations), 1);
}

}  // namespace mooring
