// SPDX-License-Identifier: Apache-2.0

#include "fallback_store.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

TEST(FallbackStore, UsesABufferAgain) {
  fallback_store store{64_MiB};
  auto* const a = store.allocate(5_MiB);
  std::memset(a, 1, 5_MiB);
  store.free(a);
  EXPECT_EQ(store.allocate(5_MiB), a);
}

TEST(FallbackStore, HoldsNoMoreThanItsLimit) {
  fallback_store store{8_MiB};
  auto* const a = store.allocate(4_MiB);
  auto* const b = store.allocate(4_MiB);
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_EQ(store.allocate(4_KiB), nullptr);
  store.free(a);
  EXPECT_NE(store.allocate(3_MiB), nullptr);
  EXPECT_LE(store.held(), 8_MiB);
}

TEST(FallbackStore, RefusesWhatExceedsItsLimit) {
  fallback_store store{8_MiB};
  EXPECT_EQ(store.allocate(9_MiB), nullptr);
  EXPECT_EQ(fallback_store{0}.allocate(1), nullptr);
}

TEST(FallbackStore, RefusesAForeignAddressAndASecondFree) {
  fallback_store store{8_MiB};
  auto* const a = store.allocate(1_MiB);
  EXPECT_FALSE(store.free(&store));
  EXPECT_TRUE(store.free(a));
  EXPECT_FALSE(store.free(a));
}

TEST(FallbackStore, GivesBackWhatWasIdleForAWholeInterval) {
  fallback_store store{64_MiB};
  auto* const busy = store.allocate(1_MiB);
  auto* const idle = store.allocate(4_MiB);
  store.free(idle);
  store.trim();
  EXPECT_EQ(store.held(), 5_MiB) << "it may be wanted again at once";
  store.trim();
  EXPECT_EQ(store.held(), 1_MiB);
  std::memset(busy, 1, 1_MiB);
}

TEST(FallbackStore, KeepsWhatWasUsedBetweenTwoTrims) {
  fallback_store store{64_MiB};
  auto* const hot = store.allocate(4_MiB);
  auto* const cold = store.allocate(4_MiB);
  store.free(cold);
  store.free(hot);
  store.trim();
  // Of buffers of one size the one that came back last serves, so that the others grow cold.
  ASSERT_EQ(store.allocate(4_MiB), hot);
  store.free(hot);
  store.trim();
  EXPECT_EQ(store.held(), 4_MiB);
  EXPECT_EQ(store.allocate(4_MiB), hot);
}

}  // namespace mooring
