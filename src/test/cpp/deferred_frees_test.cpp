// SPDX-License-Identifier: Apache-2.0

#include "deferred_frees.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

void* address(std::size_t n) { return reinterpret_cast<void*>(n); }

class DeferredFrees : public ::testing::Test {
 protected:
  manual_fences fences_;
  std::vector<void*> settled_;
  deferred_frees frees_{&fences_, [this](void* block) { settled_.push_back(block); }};
};

}  // namespace

TEST_F(DeferredFrees, SettleOnceTheirMarkHasPassed) {
  frees_.add({address(1), address(2)}, {per_thread_stream, 0});
  frees_.settle_passed();
  EXPECT_TRUE(settled_.empty());
  fences_.pass_all();
  frees_.add({address(3)}, {per_thread_stream, 0});
  frees_.settle_passed();
  EXPECT_EQ(settled_, (std::vector<void*>{address(1), address(2)}));
  EXPECT_EQ(frees_.batches(), 1U);
}

TEST_F(DeferredFrees, OneThatTakesLongDoesNotHoldUpThoseBehindIt) {
  class slow_first final : public fence_source {
   public:
    fence_handle record(device_stream) noexcept override { return address(++last_); }
    bool passed(fence_handle fence) noexcept override { return fence != address(1); }
    void recycle(fence_handle) noexcept override {}

   private:
    std::size_t last_ = 0;
  } fences;
  deferred_frees frees{&fences, [this](void* block) { settled_.push_back(block); }};
  for (std::size_t n = 1; n <= 3; ++n) frees.add({address(n)}, {per_thread_stream, 0});
  for (int i = 0; i < 4; ++i) frees.settle_passed(1);
  EXPECT_EQ(settled_, (std::vector<void*>{address(2), address(3)}));
}

TEST_F(DeferredFrees, WhatCannotBeMarkedWaitsForItsDevice) {
  fences_.break_down();
  frees_.add({address(1)}, {per_thread_stream, 0});
  fences_.pass_all();
  frees_.settle_passed();
  frees_.settle_unmarked();
  EXPECT_TRUE(settled_.empty());
  EXPECT_EQ(frees_.unmarked_blocks(), 1U);
  fences_.allow_drain();
  frees_.settle_unmarked();
  EXPECT_EQ(settled_, std::vector<void*>{address(1)});
  EXPECT_EQ(frees_.unmarked_blocks(), 0U);
}

}  // namespace mooring
