// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "arm.hpp"

namespace mooring::bench {

/// How a mixed run is made. Sizes in bytes.
struct mixed_options {
  int threads;
  double seconds;            ///< after which it ends in any case
  std::uint64_t operations;  ///< after which it ends
  std::size_t pool;
  std::size_t largest;  ///< block
  std::uint64_t seed;
};

/// What a mixed run left behind, with its blocks still held. In bytes but for counts.
struct mixed_result {
  std::uint64_t operations = 0;  ///< allocations and frees
  double seconds = 0;
  std::uint64_t refused = 0;
  std::uint64_t live = 0;       ///< blocks that are held at the end
  std::uint64_t requested = 0;  ///< for the live blocks
  std::uint64_t granted = 0;    ///< to the live blocks; 0 when the allocator does not tell
  std::uint64_t usable = 0;     ///< allocated at the end in further blocks of `probe_bytes`
  std::optional<fragmentation> pool{};

  static constexpr std::size_t probe_bytes = 16UL << 20;
};

/// Allocates and frees at random, sizes log-uniform from 1 KiB, around 60 % of the pool held; then
/// fills what is free with blocks of one size, to tell how much of it can be used.
mixed_result mixed_run(arm& arm, mixed_options const& options);

}  // namespace mooring::bench
