// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

auto const own = per_thread_stream;
auto const other = reinterpret_cast<stream_handle>(0x20);

struct ordered_pool {
  ordered_pool() : fences{new manual_fences}, p{pageable_pool(16_MiB, take())} {}
  std::unique_ptr<fence_source> take() { return std::unique_ptr<fence_source>{fences}; }

  /// Addresses handed out until the pool is exhausted, all freed again.
  std::set<void*> all_blocks(std::size_t bytes, stream_handle stream) {
    std::set<void*> seen;
    while (auto* const block = p.allocate_ordered(bytes, stream)) seen.insert(block);
    for (auto* const block : seen) p.free_ordered(block, stream);
    return seen;
  }

  manual_fences* fences;
  pool& p;
};

}  // namespace

TEST(StreamOrder, ABlockServesItsOwnThreadAndStreamAtOnce) {
  ordered_pool o;
  auto* const block = o.p.allocate_ordered(1000, own);
  o.p.free_ordered(block, own);
  EXPECT_EQ(o.p.allocate_ordered(1000, own), block);
  EXPECT_EQ(o.fences->recorded(), 0U);
}

TEST(StreamOrder, ABlockReachesAnotherThreadOnlyBehindItsFence) {
  ordered_pool o;
  void* freed = nullptr;
  std::thread{[&] {
    freed = o.p.allocate_ordered(1_MiB, own);
    o.p.free_ordered(freed, own);
  }}.join();
  EXPECT_EQ(o.all_blocks(1_MiB, own).count(freed), 0U);
  o.fences->pass_all();
  EXPECT_EQ(o.all_blocks(1_MiB, own).count(freed), 1U);
}

TEST(StreamOrder, ABlockReachesAnotherStreamOfTheThreadOnlyBehindItsFence) {
  ordered_pool o;
  auto* const freed = o.p.allocate_ordered(1_MiB, own);
  o.p.free_ordered(freed, own);
  impl_of(o.p).heap(client::libcudf).flush();
  EXPECT_EQ(o.all_blocks(1_MiB, other).count(freed), 0U);
  o.fences->pass_all();
  EXPECT_EQ(o.all_blocks(1_MiB, other).count(freed), 1U);
}

TEST(StreamOrder, ABlockReachesAnotherDeviceOfTheThreadOnlyBehindItsFence) {
  ordered_pool o;
  void* freed = nullptr;
  {
    on_device const first{0};
    freed = o.p.allocate_ordered(1000, own);
    o.p.free_ordered(freed, own);
  }
  {
    // The handle of a default stream is the same on every device.
    on_device const second{1};
    EXPECT_EQ(o.all_blocks(1000, own).count(freed), 0U);
  }
  on_device const first{0};
  EXPECT_EQ(o.p.allocate_ordered(1000, own), freed);
}

TEST(StreamOrder, AFenceIsMadeOnTheDeviceOfTheFree) {
  ordered_pool o;
  std::thread{[&] {
    set_thread_device(3);
    o.p.free_ordered(o.p.allocate_ordered(1000, own), own);
    set_thread_device(1);
  }}.join();
  EXPECT_EQ(o.fences->last_device(), 3);
  on_device const second{2};
  o.p.free_ordered(o.p.allocate_ordered(2_MiB, own), own);
  EXPECT_EQ(o.fences->last_device(), 2);
}

TEST(StreamOrder, JavaBuffersAreOfNoDevice) {
  ordered_pool o;
  auto* const block = must_allocate(o.p, 1000);
  EXPECT_TRUE(o.p.free(block));
  on_device const second{1};
  EXPECT_EQ(must_allocate(o.p, 1000), block);
}

TEST(StreamOrder, ALargeBlockWaitsForItsFence) {
  ordered_pool o;
  auto* const freed = o.p.allocate_ordered(14_MiB, own);
  ASSERT_NE(freed, nullptr);
  o.p.free_ordered(freed, own);
  EXPECT_EQ(o.p.allocate_ordered(14_MiB, own), nullptr);
  EXPECT_EQ(stat(o.p, pool_stat::deferred_bytes), static_cast<std::int64_t>(14_MiB));
  o.fences->pass_all();
  EXPECT_EQ(o.p.allocate_ordered(14_MiB, own), freed);
}

TEST(StreamOrder, JavaNeverSeesAPageWithACopyInFlight) {
  ordered_pool o;
  std::thread{[&] {
    auto* const block = o.p.allocate_ordered(15_MiB, own);
    o.p.free_ordered(block, own);
  }}.join();
  auto cause = refusal_cause::off;
  EXPECT_EQ(o.p.allocate(15_MiB, cause), nullptr);
  o.fences->pass_all();
  EXPECT_NE(o.p.allocate(15_MiB, cause), nullptr);
}

TEST(StreamOrder, BlocksWhoseStreamCannotBeMarkedWaitForTheWholeDevice) {
  ordered_pool o;
  o.fences->break_down();
  std::thread{[&] {
    for (auto const bytes : {1000UL, 1_MiB}) {
      o.p.free_ordered(o.p.allocate_ordered(bytes, own), own);
    }
  }}.join();
  EXPECT_GE(stat(o.p, pool_stat::leaked_blocks), 2);
  EXPECT_EQ(stat(o.p, pool_stat::cached_bytes), 0);
  auto cause = refusal_cause::off;
  o.fences->pass_all();
  EXPECT_EQ(o.p.allocate(16_MiB, cause), nullptr);
  o.p.trim();
  EXPECT_GE(stat(o.p, pool_stat::leaked_blocks), 2) << "the device cannot be asked";
  o.fences->allow_drain();
  o.p.trim();
  EXPECT_EQ(stat(o.p, pool_stat::leaked_blocks), 0);
  EXPECT_TRUE(o.p.free(must_allocate(o.p, 16_MiB)));
}

TEST(StreamOrder, ABlockOfAStreamThatMayBeDestroyedIsMarkedAtItsFreeAndNeverCached) {
  ordered_pool o;
  auto* const block = o.p.allocate_ordered(1000, other);
  o.p.free_ordered(block, other);
  EXPECT_EQ(o.fences->recorded(), 1U);
  EXPECT_EQ(o.fences->last_stream(), other);
  EXPECT_NE(o.p.allocate_ordered(1000, other), block)
      << "the handle may be another stream's by now";
  EXPECT_EQ(stat(o.p, pool_stat::cached_bytes), 0);
  o.fences->pass_all();
  EXPECT_EQ(o.all_blocks(1000, own).count(block), 1U);
}

TEST(StreamOrder, WhoAsksWhileAnotherAsksFindsWhatHasPassed) {
  ordered_pool o;
  // All of the pool is deferred; two threads that both need it find it, one of them while the
  // other asks for marks. Of 16 MiB a run of 5 is left wherever another of 5 was cut out, while
  // blocks were still being settled; of 7 there need not be one.
  for (int round = 0; round < 200; ++round) {
    std::vector<void*> blocks;
    while (auto* const b = o.p.allocate_ordered(1_MiB, own)) blocks.push_back(b);
    for (auto* const b : blocks) o.p.free_ordered(b, own);
    o.fences->pass_all();
    std::atomic<int> served{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        auto cause = refusal_cause::off;
        auto* const block = o.p.allocate(5_MiB, cause);
        if (block == nullptr) return;
        ++served;
        o.p.free(block);
      });
    }
    for (auto& t : threads) t.join();
    ASSERT_EQ(served, 2) << "round " << round;
  }
}

TEST(StreamOrder, ManyFreesCostFewFences) {
  ordered_pool o;
  std::vector<void*> blocks;
  for (int i = 0; i < 1024; ++i) blocks.push_back(o.p.allocate_ordered(64, own));
  for (auto* const block : blocks) o.p.free_ordered(block, own);
  EXPECT_LE(o.fences->recorded(), 1024U / small_heap::batch_blocks(0));
}

TEST(StreamOrder, BlocksThatWaitOneByOneDoNotPileUp) {
  ordered_pool o;
  for (int i = 0; i < 5000; ++i) {
    o.fences->pass_all();
    o.p.free_ordered(o.p.allocate_ordered(64, other), other);
  }
  EXPECT_EQ(o.fences->recorded(), 5000U);
  EXPECT_LE(o.fences->recorded() - o.fences->recycled(), 4U) << "marks that are held at once";
}

}  // namespace mooring
