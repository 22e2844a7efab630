// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

/// A pool all of which is held by evictable buffers of 1 MiB.
struct full_of_evictable {
  explicit full_of_evictable(std::size_t size, std::size_t fallback = 0)
      : p{pageable_pool(size, nullptr,
                        {.size = size, .max_size = size, .fallback_limit = fallback})} {
    for (std::size_t i = 0; i < size / 1_MiB; ++i) {
      blocks.push_back(must_allocate(p, 1_MiB));
      ids.push_back(p.make_evictable(blocks.back()));
      EXPECT_NE(ids.back(), 0U);
    }
  }

  std::size_t left() {
    return static_cast<std::size_t>(
        std::ranges::count_if(ids, [&](auto id) {
          if (!p.acquire_evictable(id)) return false;
          p.release_evictable(id);
          return true;
        }));
  }

  pool& p;
  std::vector<void*> blocks;
  std::vector<evictable_id> ids;
};

void* try_allocate(pool& p, std::size_t bytes) {
  auto cause = refusal_cause::off;
  return p.allocate(bytes, cause);
}

}  // namespace

TEST(Evictable, ABufferKeepsItsBytesUntilTheMemoryIsNeeded) {
  auto& p = pageable_pool(32_MiB);
  auto* const block = must_allocate(p, 1_MiB);
  std::memset(block, 7, 1_MiB);
  auto const id = p.make_evictable(block);
  ASSERT_NE(id, 0U);
  EXPECT_FALSE(p.free(block)) << "the pool owns it";
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_EQ(stat(p, pool_stat::page_bytes_in_use), 0);
  EXPECT_EQ(stat(p, pool_stat::evictable_bytes), static_cast<std::int64_t>(1_MiB));

  ASSERT_TRUE(p.acquire_evictable(id));
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), static_cast<std::int64_t>(1_MiB));
  EXPECT_EQ(stat(p, pool_stat::evictable_bytes), 0);
  EXPECT_EQ(static_cast<char*>(block)[1_MiB - 1], 7);
  p.release_evictable(id);

  p.evict(id);
  EXPECT_FALSE(p.acquire_evictable(id));
  EXPECT_TRUE(p.take_evicted().empty()) << "its owner gave it back";
  EXPECT_EQ(stat(p, pool_stat::allocations), stat(p, pool_stat::frees));
  EXPECT_NE(try_allocate(p, 32_MiB), nullptr);
}

TEST(Evictable, ForeignAndSmallBlocksAreRefused) {
  auto& p = pageable_pool(32_MiB);
  int foreign = 0;
  EXPECT_EQ(p.make_evictable(&foreign), 0U);
  auto* const small = must_allocate(p, 1_KiB);
  EXPECT_EQ(p.make_evictable(small), 0U);
  EXPECT_TRUE(p.free(small));
  auto* const large = must_allocate(p, 1_MiB);
  EXPECT_EQ(p.make_evictable(static_cast<std::byte*>(large) + 64), 0U);
  ASSERT_NE(p.make_evictable(large), 0U);
  EXPECT_EQ(p.make_evictable(large), 0U) << "twice";
}

TEST(Evictable, TheOneUsedLongestAgoGoesFirst) {
  full_of_evictable full{32_MiB};
  ASSERT_TRUE(full.p.acquire_evictable(full.ids[0]));
  full.p.release_evictable(full.ids[0]);
  must_allocate(full.p, 1_MiB);
  EXPECT_EQ(full.p.take_evicted(), std::vector{full.ids[1]});
  EXPECT_EQ(stat(full.p, pool_stat::evictions), 1);
  EXPECT_EQ(stat(full.p, pool_stat::evicted_bytes), static_cast<std::int64_t>(1_MiB));
}

TEST(Evictable, ALongBufferTakesNeighboursAndNoMore) {
  full_of_evictable full{64_MiB};
  // In an order in which the oldest are no neighbours.
  auto ids = full.ids;
  std::ranges::shuffle(ids, std::mt19937{1});
  for (auto const id : ids) {
    ASSERT_TRUE(full.p.acquire_evictable(id));
    full.p.release_evictable(id);
  }
  must_allocate(full.p, 8_MiB);
  EXPECT_LE(full.p.take_evicted().size(), 16U);
}

TEST(Evictable, WhatIsReadStays) {
  full_of_evictable full{32_MiB};
  for (auto const id : full.ids) ASSERT_TRUE(full.p.acquire_evictable(id));
  EXPECT_EQ(try_allocate(full.p, 1_MiB), nullptr);
  full.p.release_evictable(full.ids[5]);
  EXPECT_EQ(try_allocate(full.p, 1_MiB), full.blocks[5]);
}

TEST(Evictable, ABufferThatIsReadGoesWithItsLastReader) {
  auto& p = pageable_pool(32_MiB);
  auto const id = p.make_evictable(must_allocate(p, 32_MiB));
  ASSERT_TRUE(p.acquire_evictable(id));
  ASSERT_TRUE(p.acquire_evictable(id));
  p.evict(id);
  EXPECT_FALSE(p.acquire_evictable(id));
  p.release_evictable(id);
  EXPECT_EQ(try_allocate(p, 1_MiB), nullptr);
  p.release_evictable(id);
  EXPECT_NE(try_allocate(p, 32_MiB), nullptr);
}

TEST(Evictable, NothingIsEvictedInVain) {
  auto& p = pageable_pool(32_MiB, nullptr, {.size = 32_MiB, .max_size = 32_MiB, .reserve = 8_MiB});
  auto const id = p.make_evictable(must_allocate(p, 16_MiB));
  EXPECT_EQ(try_allocate(p, 28_MiB), nullptr) << "more than Java may have";
  must_allocate(p, 8_MiB);
  EXPECT_EQ(try_allocate(p, 20_MiB), nullptr) << "more than there would be";
  EXPECT_TRUE(p.acquire_evictable(id));
}

TEST(Evictable, LibcudfIsServedToo) {
  full_of_evictable full{32_MiB};
  EXPECT_NE(full.p.allocate_ordered(4_MiB, nullptr), nullptr);
  std::vector<void*> small;
  for (int i = 0; i < 1000; ++i) small.push_back(full.p.allocate_ordered(4_KiB, nullptr));
  EXPECT_EQ(std::ranges::count(small, nullptr), 0);
  EXPECT_LT(full.left(), 32U);
}

TEST(Evictable, NothingFallsBackOrWaitsThatWouldNotWithout) {
  full_of_evictable full{32_MiB, 32_MiB};
  for (int i = 0; i < 32; ++i) EXPECT_NE(try_allocate(full.p, 1_MiB), nullptr);
  EXPECT_EQ(full.left(), 0U);
  EXPECT_EQ(stat(full.p, pool_stat::wait_count), 0);
  EXPECT_EQ(full.p.snapshot().fallback_counts, decltype(pool_snapshot::fallback_counts){});
}

TEST(Evictable, WhoWaitsGetsWhatAReaderReleases) {
  full_of_evictable full{32_MiB};
  for (auto const id : full.ids) ASSERT_TRUE(full.p.acquire_evictable(id));
  std::thread reader{[&] {
    while (impl_of(full.p).waiters().stats().waits < 1) std::this_thread::yield();
    full.p.release_evictable(full.ids[3]);
  }};
  auto cause = refusal_cause::exhausted;
  EXPECT_EQ(full.p.allocate_waiting(1_MiB, cause, std::chrono::seconds{60}), full.blocks[3]);
  reader.join();
}

TEST(Evictable, NothingIsKeptWhileOthersWait) {
  auto& p = pageable_pool(32_MiB);
  auto* const first = must_allocate(p, 16_MiB);
  auto* const second = must_allocate(p, 16_MiB);
  std::thread waits{[&] {
    EXPECT_EQ(p.allocate_waiting(32_MiB, refusal_cause::exhausted, std::chrono::seconds{60}),
              std::min(first, second));
  }};
  while (impl_of(p).waiters().stats().waits < 1) std::this_thread::yield();
  EXPECT_EQ(p.make_evictable(first), 0U);
  p.free(first);
  p.free(second);
  waits.join();
}

TEST(Evictable, ThePoolDoesNotGrowForWhatEvictionServes) {
  auto& p = pageable_pool(32_MiB, nullptr,
                          {.size = 32_MiB, .max_size = 256_MiB, .extent_bytes = 16_MiB});
  for (int i = 0; i < 32; ++i) ASSERT_NE(p.make_evictable(must_allocate(p, 1_MiB)), 0U);
  for (int i = 0; i < 32; ++i) EXPECT_NE(try_allocate(p, 1_MiB), nullptr);
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  EXPECT_EQ(stat(p, pool_stat::capacity_bytes), static_cast<std::int64_t>(32_MiB));
}

TEST(Evictable, ThePoolGrowsAsItWouldWithout) {
  auto& p = pageable_pool(32_MiB, nullptr,
                          {.size = 32_MiB, .max_size = 48_MiB, .extent_bytes = 16_MiB});
  must_allocate(p, 24_MiB);
  ASSERT_NE(p.make_evictable(must_allocate(p, 8_MiB)), 0U);
  EXPECT_EQ(try_allocate(p, 20_MiB), nullptr) << "more than there is";
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  EXPECT_EQ(stat(p, pool_stat::capacity_bytes), static_cast<std::int64_t>(48_MiB));
  EXPECT_NE(try_allocate(p, 20_MiB), nullptr);
}

TEST(Evictable, GrownMemoryIsGivenBackWithWhatItHolds) {
  auto& p = pageable_pool(32_MiB, nullptr,
                          {.size = 32_MiB, .max_size = 256_MiB, .extent_bytes = 16_MiB});
  auto* const held = must_allocate(p, 32_MiB);
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(8_MiB, cause), nullptr);
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  auto const id = p.make_evictable(must_allocate(p, 8_MiB));
  ASSERT_NE(id, 0U);
  EXPECT_TRUE(p.free(held));
  p.trim();
  p.trim();
  EXPECT_EQ(stat(p, pool_stat::capacity_bytes), static_cast<std::int64_t>(32_MiB));
  EXPECT_FALSE(p.acquire_evictable(id));
}

TEST(Evictable, ReadersNeverSeeOtherBytes) {
  auto& p = pageable_pool(32_MiB);
  std::vector<std::atomic<evictable_id>> ids(16);
  std::atomic<bool> wrong{false};
  auto const work = [&](unsigned seed) {
    std::mt19937 random{seed};
    for (int i = 0; i < 3000; ++i) {
      auto const bytes = 128_KiB + random() % 2_MiB;
      auto cause = refusal_cause::off;
      if (auto* const fresh = static_cast<unsigned char*>(p.allocate(bytes, cause))) {
        auto const mark = static_cast<unsigned char>(random());
        fresh[0] = mark;
        fresh[bytes - 1] = mark;
        if (auto const id = p.make_evictable(fresh)) {
          if (p.acquire_evictable(id)) {
            if (fresh[0] != mark || fresh[bytes - 1] != mark) wrong = true;
            p.release_evictable(id);
          }
          auto const before = ids[random() % ids.size()].exchange(id);
          if (before != 0 && random() % 2 == 0) p.evict(before);
        } else {
          p.free(fresh);
        }
      }
      auto const other = ids[random() % ids.size()].load();
      if (other != 0 && p.acquire_evictable(other)) p.release_evictable(other);
      if (i % 64 == 0) p.take_evicted();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  for (auto& t : threads) t.join();
  EXPECT_FALSE(wrong);
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
}

}  // namespace mooring
