// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

/// Frees blocks when its thread ends; made before the thread's first use of the pool, and so
/// destroyed after what the pool keeps for the thread.
struct late_free {
  pool* owner = nullptr;
  client side = client::java;
  std::vector<void*> blocks{};

  ~late_free() {
    for (auto* const b : blocks) {
      side == client::java ? owner->free(b) : owner->free_ordered(b, per_thread_stream);
    }
  }
};

thread_local late_free keeper;

void end_with_blocks(pool& p, client side) {
  keeper.owner = &p;
  keeper.side = side;
  for (int i = 0; i < 40; ++i) {
    keeper.blocks.push_back(side == client::java ? must_allocate(p, 1000)
                                                 : p.allocate_ordered(1000, per_thread_stream));
  }
}

}  // namespace

TEST(ThreadEnd, BlocksFreedByLateDestructorsAreOfNoCache) {
  auto* const fences = new manual_fences;
  auto& p = pageable_pool(16_MiB, std::unique_ptr<fence_source>{fences});
  for (auto const side : {client::java, client::libcudf}) {
    std::thread{[&] { end_with_blocks(p, side); }}.join();
    EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
    EXPECT_EQ(stat(p, pool_stat::cached_bytes), 0) << "no thread lives that could keep any";
  }
  fences->pass_all();
  EXPECT_TRUE(p.free(must_allocate(p, 16_MiB)));
}

TEST(ThreadEnd, LateFreesBesideThreadsThatTakeOverTheCaches) {
  auto& p = pageable_pool(64_MiB, nullptr, {.size = 0, .max_size = 0, .checks = true});
  std::atomic<int> twice{0};
  auto const churn = [&] {
    for (int round = 0; round < 100; ++round) {
      std::thread{[&] { end_with_blocks(p, client::java); }}.join();
      std::thread{[&] {
        std::set<void*> blocks;
        for (int i = 0; i < 300; ++i) {
          if (!blocks.insert(must_allocate(p, 1000)).second) ++twice;
        }
        for (auto* const b : blocks) EXPECT_TRUE(p.free(b));
      }}.join();
    }
  };
  std::thread others[] = {std::thread{churn}, std::thread{churn}, std::thread{churn}};
  for (auto& t : others) t.join();
  EXPECT_EQ(twice, 0);
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_EQ(stat(p, pool_stat::cached_bytes), 0);
}

}  // namespace mooring
