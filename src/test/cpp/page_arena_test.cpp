#include "mooring/page_arena.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(arena.usage().largest_free_run, 8U);
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
