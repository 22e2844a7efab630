// SPDX-License-Identifier: Apache-2.0

#include "size_classes.hpp"

#include <gtest/gtest.h>

namespace mooring {

static_assert(size_classes::of(1) == 0 && size_classes::bytes(0) == 64);
static_assert(size_classes::bytes(size_classes::of(513)) == 576);
static_assert(size_classes::of(size_classes::largest) == size_classes::count - 1);
static_assert(size_classes::bytes(size_classes::count - 1) == size_classes::largest);
static_assert(size_classes::aligned(100, 256) == 256);

TEST(SizeClasses, EveryClassServesItsOwnSizeAndIsLargerThanTheOneBelow) {
  for (int c = 0; c < size_classes::count; ++c) {
    ASSERT_EQ(size_classes::of(size_classes::bytes(c)), c);
    if (c > 0) {
      ASSERT_GT(size_classes::bytes(c), size_classes::bytes(c - 1));
    }
  }
}

TEST(SizeClasses, EveryRequestFitsTheSmallestClassThatHoldsIt) {
  for (std::size_t bytes = 1; bytes <= size_classes::largest; ++bytes) {
    auto const c = size_classes::of(bytes);
    ASSERT_GE(size_classes::bytes(c), bytes);
    if (c > 0) {
      ASSERT_LT(size_classes::bytes(c - 1), bytes);
    }
  }
}

TEST(SizeClasses, RoundingWastesAtMostAnEighthAbove512Bytes) {
  for (std::size_t bytes = 513; bytes <= size_classes::largest; ++bytes) {
    auto const granted = size_classes::bytes(size_classes::of(bytes));
    ASSERT_LE((granted - bytes) * 8, granted) << bytes;
  }
}

TEST(SizeClasses, BlocksKeepCacheLinesApart) {
  for (int c = 0; c < size_classes::count; ++c) {
    ASSERT_EQ(size_classes::bytes(c) % size_classes::alignment, 0U);
  }
}

}  // namespace mooring
