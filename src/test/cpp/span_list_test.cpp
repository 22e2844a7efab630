// SPDX-License-Identifier: Apache-2.0

#include "span_list.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace mooring {

namespace {

/// Spans of blocks of 4 KiB in pages that nobody ever touches.
class SpanList : public ::testing::Test {
 protected:
  static constexpr std::size_t block = 4096;
  static constexpr std::uint32_t blocks = 16;

  span& made(std::uint32_t page) {
    auto& s = spans_.emplace_back(std::make_unique<span>());
    s->run = {page, 1};
    s->size_class = 0;
    s->blocks = blocks;
    s->block_bytes = block;
    s->base = table_.address_of(s->run);
    table_.enter(s.get());
    return *s;
  }

  span_table table_{reinterpret_cast<std::byte*>(1UL << 40), 8 * page_arena::page_bytes};
  std::vector<std::unique_ptr<span>> spans_;
  span_list list_;
  std::array<void*, 64> taken_{};
};

}  // namespace

TEST_F(SpanList, HandsOutEachBlockOnce) {
  EXPECT_EQ(list_.add(made(0), taken_.data(), 4), 4U);
  EXPECT_EQ(list_.add(made(3), taken_.data() + 4, 1), 1U);
  EXPECT_EQ(list_.take(taken_.data() + 5, 10), 10U);
  EXPECT_EQ(list_.take(taken_.data() + 15, 64), 17U);
  EXPECT_EQ(list_.take(taken_.data(), 1), 0U);
  EXPECT_EQ(std::set<void*>(taken_.begin(), taken_.begin() + 32).size(), 32U);
}

TEST_F(SpanList, ANewSpanIsNeverLeftWhollyIdle) {
  ASSERT_EQ(list_.add(made(0), taken_.data(), 1), 1U);
  auto& s = made(1);
  ASSERT_EQ(list_.add(s, taken_.data() + 1, 1), 1U) << "also beside one that has idle blocks";
  EXPECT_EQ(s.idle, blocks - 1);
  EXPECT_EQ(list_.put(table_, taken_.data() + 1, 1), &s);
}

TEST_F(SpanList, ANewSpanMayBeTakenWhole) {
  auto& s = made(0);
  ASSERT_EQ(list_.add(s, taken_.data(), 64), blocks);
  EXPECT_EQ(list_.take(taken_.data(), 1), 0U);
  EXPECT_EQ(list_.put(table_, taken_.data(), blocks), &s);
}

TEST_F(SpanList, GivesASpanOutWhoseLastBlockHasComeBack) {
  auto& s = made(0);
  ASSERT_EQ(list_.add(s, taken_.data(), 1), 1U);
  ASSERT_EQ(list_.take(taken_.data() + 1, 63), blocks - 1);
  EXPECT_EQ(list_.put(table_, taken_.data(), blocks - 1), nullptr);
  EXPECT_EQ(list_.put(table_, taken_.data() + blocks - 1, 1), &s);
  EXPECT_EQ(s.next, nullptr);
  EXPECT_EQ(list_.take(taken_.data(), 1), 0U) << "it is the caller's";
}

TEST_F(SpanList, LinksSpansThatBecomeIdleTogether) {
  for (std::uint32_t page = 0; page < 3; ++page) {
    ASSERT_EQ(list_.add(made(page), taken_.data() + page * blocks, 64), blocks);
  }
  std::set<span*> whole;
  for (auto* s = list_.put(table_, taken_.data(), 3 * blocks); s != nullptr; s = s->next) {
    whole.insert(s);
  }
  EXPECT_EQ(whole.size(), 3U);
}

TEST_F(SpanList, ABlockThatIsPutTwiceIsHandedOutOnce) {
  ASSERT_EQ(list_.add(made(0), taken_.data(), 3), 3U);
  EXPECT_EQ(list_.put(table_, taken_.data(), 1), nullptr);
  EXPECT_EQ(list_.put(table_, taken_.data(), 1), nullptr);
  EXPECT_EQ(list_.take(taken_.data(), 64), blocks - 2);
}

}  // namespace mooring
