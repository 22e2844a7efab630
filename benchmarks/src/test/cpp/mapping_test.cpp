// SPDX-License-Identifier: Apache-2.0

#include "mapping.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace mooring::bench {

namespace {

TEST(Mapping, IsWritableFromEndToEnd) {
  constexpr std::size_t bytes = 6UL << 20;
  mapping pages{bytes, -1, 2};
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.get()) % (2UL << 20), 0u);
  pages.get()[0] = pages.get()[bytes - 1] = std::byte{7};
  EXPECT_EQ(pages.get()[bytes - 1], std::byte{7});
  EXPECT_LE(pages.huge_bytes(), bytes + (2UL << 20));
}

TEST(Mapping, ANodeThatIsNotThereIsRefused) {
  EXPECT_THROW(mapping(1UL << 20, 1000, 1), std::runtime_error);
  EXPECT_THROW(mapping(1UL << 20, 5000, 1), std::runtime_error);
}

TEST(Smaps, TheFigureOfTheRightMappingIsRead) {
  std::istringstream text{
      "7f0000000000-7f0000200000 rw-p 00000000 00:00 0\n"
      "Rss:                2048 kB\n"
      "AnonHugePages:      2048 kB\n"
      "7f0000400000-7f0000800000 rw-p 00000000 00:00 0 [heap]\n"
      "AnonHugePages:      4096 kB\n"};
  EXPECT_EQ(huge_bytes_in(text, 0x7f0000400000), 4096UL << 10);
  text.clear();
  text.seekg(0);
  EXPECT_EQ(huge_bytes_in(text, 0x7f0000300000), 0u);
}

}  // namespace

}  // namespace mooring::bench
