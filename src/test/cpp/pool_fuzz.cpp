// SPDX-License-Identifier: Apache-2.0

#include "pool_operations.hpp"

/// Every input leaves the pool as it found it, so that one pool serves all inputs.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static auto& operations = *new mooring::testing::pool_operations;
  operations.run(data, size);
  return 0;
}
