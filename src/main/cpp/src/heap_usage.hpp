// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace mooring {

/// Counts of a heap so far; bytes, except for counts of blocks. Each number is exact, and frees
/// never run ahead of allocations, also while threads are at work.
struct heap_usage {
  std::uint64_t allocations = 0;
  std::uint64_t frees = 0;
  std::uint64_t requested = 0;
  std::uint64_t in_use = 0;  ///< now
};

}  // namespace mooring
