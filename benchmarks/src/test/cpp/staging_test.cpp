// SPDX-License-Identifier: Apache-2.0

#include "staging.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mooring::bench {

namespace {

/// A ring of numbers: what is in a slot, and whether its consumer still needs it.
struct ring {
  explicit ring(std::size_t slots) : chunk_in(slots), in_use(slots) {}
  std::vector<std::atomic<std::size_t>> chunk_in;
  std::vector<std::atomic<bool>> in_use;
  std::atomic<int> overwritten{0};

  staging::steps steps() {
    return {.fill =
                [this](std::size_t chunk, std::size_t slot) {
                  overwritten += in_use[slot].exchange(true);
                  chunk_in[slot] = chunk;
                },
            .free =
                [this](std::size_t slot) {
                  in_use[slot].wait(true);
                  return true;
                }};
  }

  void release(std::size_t slot) {
    in_use[slot] = false;
    in_use[slot].notify_all();
  }
};

class Staging : public testing::TestWithParam<int> {};

TEST_P(Staging, EveryChunkComesInOrderAndNoSlotIsFilledTooEarly) {
  constexpr std::size_t chunks = 2000, slots = 12;
  ring all{slots};
  std::set<std::size_t> waiting;
  {
    staging stage{chunks, slots, GetParam(), all.steps()};
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      ASSERT_TRUE(stage.await(chunk));
      EXPECT_EQ(all.chunk_in[stage.slot_of(chunk)], chunk);
      stage.issued(chunk);
      // Released some chunks later, as a device does it.
      waiting.insert(chunk);
      if (waiting.size() < 5) continue;
      all.release(stage.slot_of(*waiting.begin()));
      waiting.erase(waiting.begin());
    }
    EXPECT_EQ(all.overwritten, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Staging, testing::Values(1, 2, 3, 8));

TEST(StagingStop, AConsumerThatGivesUpLeavesNoThreadBehind) {
  ring all{3};
  staging stage{100, 3, 4, all.steps()};
  ASSERT_TRUE(stage.await(0));
  stage.stop();
  EXPECT_FALSE(stage.await(99));
}

TEST(StagingStop, AFailedCopyReachesTheConsumer) {
  ring all{2};
  auto steps = all.steps();
  steps.free = [](std::size_t) { return false; };
  staging stage{10, 2, 1, steps};
  for (std::size_t chunk : {0UL, 1UL}) {
    ASSERT_TRUE(stage.await(chunk));
    stage.issued(chunk);
  }
  EXPECT_FALSE(stage.await(2));
}

}  // namespace

}  // namespace mooring::bench
