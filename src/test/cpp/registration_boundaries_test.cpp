// SPDX-License-Identifier: Apache-2.0

#include "registration_boundaries.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "slab.hpp"
#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

// Never read or written.
auto* const base = reinterpret_cast<std::byte*>(1UL << 40);

}  // namespace

TEST(RegistrationBorders, ACopyEndsWhereTheNextRegistrationBegins) {
  registration_boundaries boundaries{base, 1024_MiB};
  for (auto at : {0_MiB, 16_MiB, 48_MiB, 512_MiB}) boundaries.add(at);
  EXPECT_EQ(boundaries.max_copy_bytes(base, 16_MiB), 16_MiB);
  EXPECT_EQ(boundaries.max_copy_bytes(base, 17_MiB), 16_MiB);
  EXPECT_EQ(boundaries.max_copy_bytes(base + 16_MiB - 1, 100), 1U);
  EXPECT_EQ(boundaries.max_copy_bytes(base + 16_MiB, 100_MiB), 32_MiB);
  EXPECT_EQ(boundaries.max_copy_bytes(base + 48_MiB, 900_MiB), 464_MiB);
  EXPECT_EQ(boundaries.max_copy_bytes(base + 512_MiB, 512_MiB), 512_MiB);
}

TEST(RegistrationBorders, MemoryOutsideOfTheSlabHasNone) {
  registration_boundaries boundaries{base, 64_MiB};
  boundaries.add(16_MiB);
  EXPECT_EQ(boundaries.max_copy_bytes(base - 1_MiB, 100_MiB), 100_MiB);
  EXPECT_EQ(boundaries.max_copy_bytes(base + 64_MiB, 100_MiB), 100_MiB);
  EXPECT_EQ(boundaries.max_copy_bytes(base, 0), 0U);
}

TEST(RegistrationBorders, AgreeWithASetOfBorders) {
  std::mt19937_64 random{42};
  constexpr std::size_t size = 4096_MiB;
  registration_boundaries boundaries{base, size};
  std::set<std::size_t> model;
  for (int i = 0; i < 10'000; ++i) {
    if (i % 100 == 0) {
      auto const at = random() % (size / slab::huge_page) * slab::huge_page;
      boundaries.add(at);
      model.insert(at);
    }
    auto const offset = random() % size;
    auto const bytes = 1 + random() % (size - offset);
    auto const next = model.upper_bound(offset);
    bool const cut = next != model.end() && *next < offset + bytes;
    ASSERT_EQ(boundaries.max_copy_bytes(base + offset, bytes), cut ? *next - offset : bytes);
  }
}

}  // namespace mooring
