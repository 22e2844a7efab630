// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

/// Bytes of each node that were registered since the last call.
std::map<int, std::size_t> share_out(pool& p) {
  std::map<int, std::size_t> bytes;
  for (auto const& r : impl_of(p).filler().take_registrations())
    bytes[r.where.node] += r.where.bytes;
  return bytes;
}

}  // namespace

TEST(NodeShares, ASmallPoolIsSharedOutToTheNodesInHalves) {
  for (auto size : {128_MiB, 256_MiB}) {
    auto& p = pageable_pool(size, nullptr, {.size = 0, .max_size = 0, .numa_nodes = {0, 1}});
    EXPECT_EQ(share_out(p), (std::map<int, std::size_t>{{0, size / 2}, {1, size / 2}}));
  }
}

TEST(NodeShares, ThePoolIsSharedOutToTheNodesAlsoWhenItGrows) {
  auto& p =
      pageable_pool(64_MiB, nullptr,
                    {.size = 0, .max_size = 128_MiB, .numa_nodes = {0, 1}, .extent_bytes = 8_MiB});
  EXPECT_EQ(share_out(p), (std::map<int, std::size_t>{{0, 32_MiB}, {1, 32_MiB}}));
  ASSERT_TRUE(impl_of(p).filler().request_growth(8_MiB));
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  auto const grown = share_out(p);
  EXPECT_EQ(grown.at(0), grown.at(1));
  EXPECT_EQ(stat(p, pool_stat::numa_node), -2);
}

}  // namespace mooring
