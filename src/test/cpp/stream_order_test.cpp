#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

auto const stream_a = reinterpret_cast<stream_handle>(0x10);
auto const stream_b = reinterpret_cast<stream_handle>(0x20);

struct ordered_pool {
  ordered_pool() : fences{new manual_fences}, p{plain_pool(16_MiB, take())} {}
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
  auto* const block = o.p.allocate_ordered(1000, stream_a);
  o.p.free_ordered(block, stream_a);
  EXPECT_EQ(o.p.allocate_ordered(1000, stream_a), block);
  EXPECT_EQ(o.fences->recorded(), 0U);
}

TEST(StreamOrder, ABlockReachesAnotherThreadOnlyBehindItsFence) {
  ordered_pool o;
  void* freed = nullptr;
  std::thread{[&] {
    freed = o.p.allocate_ordered(1_MiB, stream_a);
    o.p.free_ordered(freed, stream_a);
  }}.join();
  EXPECT_EQ(o.all_blocks(1_MiB, stream_a).count(freed), 0U);
  o.fences->pass_all();
  EXPECT_EQ(o.all_blocks(1_MiB, stream_a).count(freed), 1U);
}

TEST(StreamOrder, ABlockReachesAnotherStreamOfTheThreadOnlyBehindItsFence) {
  ordered_pool o;
  auto* const freed = o.p.allocate_ordered(1_MiB, stream_a);
  o.p.free_ordered(freed, stream_a);
  o.p.heap(face::libcudf).flush(stream_a);
  EXPECT_EQ(o.all_blocks(1_MiB, stream_b).count(freed), 0U);
  o.fences->pass_all();
  EXPECT_EQ(o.all_blocks(1_MiB, stream_b).count(freed), 1U);
}

TEST(StreamOrder, ABlockReachesAnotherDeviceOfTheThreadOnlyBehindItsFence) {
  ordered_pool o;
  void* freed = nullptr;
  {
    on_device const first{0};
    freed = o.p.allocate_ordered(1000, stream_a);
    o.p.free_ordered(freed, stream_a);
  }
  {
    // The handle of a default stream is the same on every device.
    on_device const second{1};
    EXPECT_EQ(o.all_blocks(1000, stream_a).count(freed), 0U);
  }
  on_device const first{0};
  EXPECT_EQ(o.p.allocate_ordered(1000, stream_a), freed);
}

TEST(StreamOrder, AFenceIsMadeOnTheDeviceOfTheFree) {
  ordered_pool o;
  std::thread{[&] {
    set_thread_device(3);
    o.p.free_ordered(o.p.allocate_ordered(1000, stream_a), stream_a);
    set_thread_device(1);
  }}.join();
  EXPECT_EQ(o.fences->last_device(), 3);
  on_device const second{2};
  o.p.free_ordered(o.p.allocate_ordered(2_MiB, stream_a), stream_a);
  EXPECT_EQ(o.fences->last_device(), 2);
}

TEST(StreamOrder, JavaBuffersAreOfNoDevice) {
  ordered_pool o;
  auto* const block = must_allocate(o.p, 1000);
  EXPECT_TRUE(o.p.free(block));
  on_device const other{1};
  EXPECT_EQ(must_allocate(o.p, 1000), block);
}

TEST(StreamOrder, ALargeBlockWaitsForItsFence) {
  ordered_pool o;
  auto* const freed = o.p.allocate_ordered(14_MiB, stream_a);
  ASSERT_NE(freed, nullptr);
  o.p.free_ordered(freed, stream_a);
  EXPECT_EQ(o.p.allocate_ordered(14_MiB, stream_a), nullptr);
  EXPECT_EQ(figure(o.p, stat::deferred_bytes), static_cast<std::int64_t>(14_MiB));
  o.fences->pass_all();
  EXPECT_EQ(o.p.allocate_ordered(14_MiB, stream_a), freed);
}

TEST(StreamOrder, JavaNeverSeesAPageWithACopyInFlight) {
  ordered_pool o;
  std::thread{[&] {
    auto* const block = o.p.allocate_ordered(15_MiB, stream_a);
    o.p.free_ordered(block, stream_a);
  }}.join();
  auto cause = refusal_cause::off;
  EXPECT_EQ(o.p.allocate(15_MiB, cause), nullptr);
  o.fences->pass_all();
  EXPECT_NE(o.p.allocate(15_MiB, cause), nullptr);
}

TEST(StreamOrder, BlocksWhoseStreamCannotBeMarkedAreGivenUp) {
  ordered_pool o;
  o.fences->break_down();
  std::thread{[&] {
    auto* const block = o.p.allocate_ordered(1_MiB, stream_a);
    o.p.free_ordered(block, stream_a);
  }}.join();
  EXPECT_GE(figure(o.p, stat::parked_blocks), 1);
  EXPECT_EQ(figure(o.p, stat::cached_bytes), 0);
}

TEST(StreamOrder, ManyFreesCostFewFences) {
  ordered_pool o;
  std::vector<void*> blocks;
  for (int i = 0; i < 1024; ++i) blocks.push_back(o.p.allocate_ordered(64, stream_a));
  for (auto* const block : blocks) o.p.free_ordered(block, stream_a);
  EXPECT_LE(o.fences->recorded(), 1024U / magazine::most_blocks);
}

}  // namespace mooring
