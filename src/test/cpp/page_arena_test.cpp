// SPDX-License-Identifier: Apache-2.0

#include "page_arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace mooring {

namespace {

std::optional<page_run> block_of(page_arena& arena, std::uint32_t pages, int near = -1) {
  return arena.allocate(client::libcudf, pages, run_use::one_block, near);
}

std::optional<page_run> long_of(page_arena& arena, std::uint32_t pages, int near) {
  return arena.allocate(client::libcudf, pages, run_use::long_buffer, near);
}

}  // namespace

TEST(PageArena, JoinsNeighboursThatComeBackInAnyOrder) {
  page_arena arena;
  arena.add_extent({0, 12});
  auto const a = block_of(arena, 4);
  auto const b = block_of(arena, 4);
  auto const c = block_of(arena, 4);
  ASSERT_TRUE(a && b && c);
  EXPECT_FALSE(block_of(arena, 1));
  arena.release(client::libcudf, *a);
  arena.release(client::libcudf, *c);
  EXPECT_FALSE(block_of(arena, 5));
  arena.release(client::libcudf, *b);
  EXPECT_EQ(arena.usage().largest_free_run, 12U);
}

TEST(PageArena, TakesTheSmallestRunThatFits) {
  page_arena arena;
  arena.add_extent({0, 100});
  auto const big = block_of(arena, 50);
  auto const wall = block_of(arena, 1);
  auto const small = block_of(arena, 10);
  auto const rest = block_of(arena, 39);
  ASSERT_TRUE(big && wall && small && rest);
  arena.release(client::libcudf, *big);
  arena.release(client::libcudf, *small);
  EXPECT_EQ(block_of(arena, 9)->first, small->first);
}

TEST(PageArena, ARunNeverCrossesTheBorderOfAnExtent) {
  page_arena arena;
  arena.add_extent({0, 8});
  arena.add_extent({8, 8});
  EXPECT_FALSE(block_of(arena, 9));
  auto const a = block_of(arena, 8);
  auto const b = block_of(arena, 8);
  arena.release(client::libcudf, *b);
  arena.release(client::libcudf, *a);
  EXPECT_FALSE(block_of(arena, 9));
}

TEST(PageArena, ARunMayCrossBordersForThoseWhoAskForIt) {
  page_arena arena;
  for (auto first : {0U, 8U, 16U, 24U}) arena.add_extent({first, 8});
  auto const one = long_of(arena, 6, -1);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->first, 0U) << "what fits into one extent lies in one";
  auto const several = long_of(arena, 20, -1);
  ASSERT_TRUE(several);
  EXPECT_EQ(several->first, 6U);
  EXPECT_EQ(arena.usage().largest_free_run, 6U);
  EXPECT_FALSE(long_of(arena, 7, -1));
  arena.release(client::libcudf, *several);
  arena.release(client::libcudf, *one);
  EXPECT_EQ(arena.usage().used, 0U);
  EXPECT_EQ(arena.usage().largest_free_run, 32U);
  EXPECT_FALSE(block_of(arena, 9)) << "the extents are apart again";
  for (auto first : {0U, 8U, 16U, 24U}) EXPECT_TRUE(arena.remove_extent({first, 8}));
}

TEST(PageArena, TakesTheShortestRowOfFreeRunsThatIsEnough) {
  page_arena arena;
  for (auto first : {0U, 8U, 16U, 40U, 48U}) arena.add_extent({first, 8});
  auto const run = long_of(arena, 12, -1);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->first, 40U) << "and never crosses pages that are not there";
  auto const rest = long_of(arena, 17, -1);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->first, 0U);
  EXPECT_FALSE(long_of(arena, 8, -1));
  EXPECT_EQ(long_of(arena, 4, -1)->first, 52U);
}

TEST(PageArena, ARowIsOfTheNodeThatIsAskedForElseOfOneElseOfSeveral) {
  page_arena arena;
  for (auto first : {0U, 8U, 16U}) arena.add_extent({first, 8}, 0);
  for (auto first : {24U, 32U}) arena.add_extent({first, 8}, 1);
  EXPECT_EQ(arena.usage().largest_free_run, 40U);
  auto const near = long_of(arena, 16, 0);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->first, 0U) << "though the other node's row is shorter";
  auto const other = long_of(arena, 16, 0);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->first, 24U);
  EXPECT_FALSE(long_of(arena, 9, 0));
  arena.release(client::libcudf, *other);
  auto const mixed = long_of(arena, 17, 0);
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->first, 16U);
  EXPECT_EQ(arena.free_pages(client::libcudf), 7U);
}

TEST(PageArena, RowsAgreeWithAMapOfFreePages) {
  std::mt19937 random{7};
  for (int round = 0; round < 200; ++round) {
    page_arena arena;
    std::vector<bool> free;
    for (int extent = 0; extent < 6; ++extent) {
      auto const gap = random() % 3 == 0 ? 2U : 0U;
      auto const pages = 1 + random() % 8;
      free.insert(free.end(), gap, false);
      arena.add_extent(
          {static_cast<std::uint32_t>(free.size()), static_cast<std::uint32_t>(pages)});
      free.insert(free.end(), pages, true);
    }
    for (int step = 0; step < 20; ++step) {
      std::uint32_t longest = 0;
      for (std::uint32_t at = 0, run = 0; at < free.size(); ++at) {
        run = free[at] ? run + 1 : 0;
        longest = std::max(longest, run);
      }
      ASSERT_EQ(arena.usage().largest_free_run, longest);
      ASSERT_FALSE(long_of(arena, longest + 1, -1));
      if (longest == 0) break;
      auto const pages = 1 + static_cast<std::uint32_t>(random() % longest);
      auto const run = long_of(arena, pages, -1);
      ASSERT_TRUE(run);
      for (auto at = run->first; at < run->first + pages; ++at) {
        ASSERT_TRUE(free[at]);
        free[at] = false;
      }
      if (random() % 2 == 0) {
        arena.release(client::libcudf, *run);
        for (auto at = run->first; at < run->first + pages; ++at) free[at] = true;
      }
    }
  }
}

TEST(PageArena, TakesARunOfTheNodeThatIsAskedForWhileItHasOne) {
  page_arena arena;
  arena.add_extent({0, 8}, 0);
  arena.add_extent({8, 16}, 1);
  EXPECT_EQ(block_of(arena, 4, 1)->first, 8U);
  EXPECT_EQ(block_of(arena, 4, 0)->first, 0U);
  EXPECT_EQ(block_of(arena, 4)->first, 4U) << "the smallest that fits, of any node";
  auto const beyond = block_of(arena, 2, 0);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->first, 12U) << "better far than not at all";
  arena.release(client::libcudf, *beyond);
  arena.release(client::libcudf, {0, 8});
  EXPECT_EQ(arena.usage().largest_free_run, 12U);
  EXPECT_TRUE(arena.remove_extent({0, 8}));
  EXPECT_EQ(block_of(arena, 8, 0)->first, 12U);
}

TEST(PageArena, GivesBackOnlyExtentsThatAreIdle) {
  page_arena arena;
  arena.add_extent({0, 8});
  auto const run = block_of(arena, 1);
  EXPECT_FALSE(arena.remove_extent({0, 8}));
  arena.release(client::libcudf, *run);
  EXPECT_TRUE(arena.remove_extent({0, 8}));
  EXPECT_EQ(arena.usage().total, 0U);
  EXPECT_FALSE(block_of(arena, 1));
}

TEST(PageArena, RemembersTheMostThatWasInUse) {
  page_arena arena;
  arena.add_extent({0, 10});
  auto const run = block_of(arena, 7);
  arena.release(client::libcudf, *run);
  EXPECT_EQ(arena.usage().used, 0U);
  EXPECT_EQ(arena.usage().most_used, 7U);
}

TEST(PageArena, KeepsAReserveFromJavaAndNeverMoreThanAQuarter) {
  page_arena arena{30};
  arena.add_extent({0, 40});
  EXPECT_FALSE(arena.allocate(client::java, 31, run_use::long_buffer));
  auto const most = arena.allocate(client::java, 30, run_use::long_buffer);
  ASSERT_TRUE(most);
  EXPECT_FALSE(arena.allocate(client::java, 1, run_use::small_blocks));
  auto const others = arena.allocate(client::libcudf, 10, run_use::one_block);
  ASSERT_TRUE(others);
  arena.release(client::java, *most);
  EXPECT_EQ(arena.free_pages(client::java), 30U) << "what libcudf has is of the reserve";
  EXPECT_EQ(arena.free_pages(client::libcudf), 30U);
}

TEST(PageArena, SmallBlocksLieAtTheOtherEnd) {
  page_arena arena;
  arena.add_extent({0, 40});
  EXPECT_EQ(arena.allocate(client::java, 4, run_use::small_blocks)->first, 36U);
  EXPECT_EQ(arena.allocate(client::java, 4, run_use::long_buffer)->first, 0U);
  EXPECT_EQ(arena.allocate(client::java, 2, run_use::small_blocks)->first, 34U);
}

TEST(PageArena, SmallBlocksOfLibcudfAreNeverInWhatGrowthAdded) {
  page_arena arena;
  arena.add_extent({0, 8});
  arena.add_extent({8, 4}, -1, true);
  EXPECT_EQ(arena.allocate(client::libcudf, 2, run_use::small_blocks)->first, 6U);
  EXPECT_TRUE(arena.allocate(client::libcudf, 6, run_use::one_block));
  EXPECT_FALSE(arena.allocate(client::libcudf, 1, run_use::small_blocks));
  EXPECT_TRUE(arena.allocate(client::java, 1, run_use::small_blocks));
}

}  // namespace mooring
