#include "mooring/page_arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace mooring {

TEST(PageArena, JoinsNeighboursThatComeBackInAnyOrder) {
  page_arena arena;
  arena.add_extent({0, 12});
  auto const a = arena.allocate(4);
  auto const b = arena.allocate(4);
  auto const c = arena.allocate(4);
  ASSERT_TRUE(a && b && c);
  EXPECT_FALSE(arena.allocate(1));
  arena.release(*a);
  arena.release(*c);
  EXPECT_FALSE(arena.allocate(5));
  arena.release(*b);
  EXPECT_EQ(arena.usage().largest_free_run, 12U);
}

TEST(PageArena, TakesTheSmallestRunThatFits) {
  page_arena arena;
  arena.add_extent({0, 100});
  auto const big = arena.allocate(50);
  auto const wall = arena.allocate(1);
  auto const small = arena.allocate(10);
  auto const rest = arena.allocate(39);
  ASSERT_TRUE(big && wall && small && rest);
  arena.release(*big);
  arena.release(*small);
  EXPECT_EQ(arena.allocate(9)->first, small->first);
}

TEST(PageArena, ARunNeverCrossesTheBorderOfAnExtent) {
  page_arena arena;
  arena.add_extent({0, 8});
  arena.add_extent({8, 8});
  EXPECT_FALSE(arena.allocate(9));
  auto const a = arena.allocate(8);
  auto const b = arena.allocate(8);
  arena.release(*b);
  arena.release(*a);
  EXPECT_FALSE(arena.allocate(9));
}

TEST(PageArena, ARunMayCrossBordersForThoseWhoAskForIt) {
  page_arena arena;
  for (auto first : {0U, 8U, 16U, 24U}) arena.add_extent({first, 8});
  auto const one = arena.allocate(6, -1, borders::crossed);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->first, 0U) << "what fits into one extent lies in one";
  auto const several = arena.allocate(20, -1, borders::crossed);
  ASSERT_TRUE(several);
  EXPECT_EQ(several->first, 6U);
  EXPECT_EQ(arena.usage().largest_free_run, 6U);
  EXPECT_FALSE(arena.allocate(7, -1, borders::crossed));
  arena.release(*several);
  arena.release(*one);
  EXPECT_EQ(arena.usage().used, 0U);
  EXPECT_EQ(arena.usage().largest_free_run, 32U);
  EXPECT_FALSE(arena.allocate(9)) << "the extents are apart again";
  for (auto first : {0U, 8U, 16U, 24U}) EXPECT_TRUE(arena.remove_extent({first, 8}));
}

TEST(PageArena, TakesTheShortestRowOfFreeRunsThatIsEnough) {
  page_arena arena;
  for (auto first : {0U, 8U, 16U, 40U, 48U}) arena.add_extent({first, 8});
  auto const run = arena.allocate(12, -1, borders::crossed);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->first, 40U) << "and never crosses pages that are not there";
  auto const rest = arena.allocate(17, -1, borders::crossed);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->first, 0U);
  EXPECT_FALSE(arena.allocate(8, -1, borders::crossed));
  EXPECT_EQ(arena.allocate(4, -1, borders::crossed)->first, 52U);
}

TEST(PageArena, ARowIsOfTheNodeThatIsAskedForElseOfOneElseOfSeveral) {
  page_arena arena;
  for (auto first : {0U, 8U, 16U}) arena.add_extent({first, 8}, 0);
  for (auto first : {24U, 32U}) arena.add_extent({first, 8}, 1);
  EXPECT_EQ(arena.usage().largest_free_run, 40U);
  auto const near = arena.allocate(16, 0, borders::crossed);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->first, 0U) << "though the other node's row is shorter";
  auto const other = arena.allocate(16, 0, borders::crossed);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->first, 24U);
  EXPECT_FALSE(arena.allocate(9, 0, borders::crossed));
  arena.release(*other);
  auto const mixed = arena.allocate(17, 0, borders::crossed);
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->first, 16U);
  EXPECT_EQ(arena.free_pages(), 7U);
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
      ASSERT_FALSE(arena.allocate(longest + 1, -1, borders::crossed));
      if (longest == 0) break;
      auto const pages = 1 + static_cast<std::uint32_t>(random() % longest);
      auto const run = arena.allocate(pages, -1, borders::crossed);
      ASSERT_TRUE(run);
      for (auto at = run->first; at < run->first + pages; ++at) {
        ASSERT_TRUE(free[at]);
        free[at] = false;
      }
      if (random() % 2 == 0) {
        arena.release(*run);
        for (auto at = run->first; at < run->first + pages; ++at) free[at] = true;
      }
    }
  }
}

TEST(PageArena, TakesARunOfTheNodeThatIsAskedForWhileItHasOne) {
  page_arena arena;
  arena.add_extent({0, 8}, 0);
  arena.add_extent({8, 16}, 1);
  EXPECT_EQ(arena.allocate(4, 1)->first, 8U);
  EXPECT_EQ(arena.allocate(4, 0)->first, 0U);
  EXPECT_EQ(arena.allocate(4)->first, 4U) << "the smallest that fits, of any node";
  auto const beyond = arena.allocate(2, 0);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->first, 12U) << "better far than not at all";
  arena.release(*beyond);
  arena.release({0, 8});
  EXPECT_EQ(arena.usage().largest_free_run, 12U);
  EXPECT_TRUE(arena.remove_extent({0, 8}));
  EXPECT_EQ(arena.allocate(8, 0)->first, 12U);
}

TEST(PageArena, GivesBackOnlyExtentsThatAreIdle) {
  page_arena arena;
  arena.add_extent({0, 8});
  auto const run = arena.allocate(1);
  EXPECT_FALSE(arena.remove_extent({0, 8}));
  arena.release(*run);
  EXPECT_TRUE(arena.remove_extent({0, 8}));
  EXPECT_EQ(arena.usage().total, 0U);
  EXPECT_FALSE(arena.allocate(1));
}

TEST(PageArena, RemembersTheMostThatWasInUse) {
  page_arena arena;
  arena.add_extent({0, 10});
  auto const run = arena.allocate(7);
  arena.release(*run);
  EXPECT_EQ(arena.usage().used, 0U);
  EXPECT_EQ(arena.usage().most_used, 7U);
}

}  // namespace mooring
