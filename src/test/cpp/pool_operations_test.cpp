// SPDX-License-Identifier: Apache-2.0

#include "pool_operations.hpp"

#include <gtest/gtest.h>

#include <random>

namespace mooring {

using namespace mooring::testing;

TEST(PoolOperations, RandomSequencesKeepTheContractOfBothFaces) {
  auto const seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random{seed};
  static auto& operations = *new pool_operations;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint8_t> bytes(4 * (random() % 300));
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
    operations.run(bytes.data(), bytes.size());
  }
}

}  // namespace mooring
