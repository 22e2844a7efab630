// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace mooring {

/// Options of a pool. Sizes in bytes.
struct pool_options {
  std::size_t size;                  ///< to start with; 0: the pool is off
  std::size_t max_size;              ///< to which it may grow; at least `size`
  std::size_t fallback_limit = 0;    ///< most pageable memory beside the pool
  int threads = 1;                   ///< that touch memory at start
  int device = -1;                   ///< whose CUDA driver pins; negative: memory stays pageable
  std::vector<int> numa_nodes = {};  ///< over which memory is divided; empty: any
  bool checks = false;               ///< detect double frees
  std::size_t extent_bytes = 0;      ///< most that is registered in one call; 0: the default
  /// Kept from Java for libcudf, at most a quarter of the pool; empty: 64 MiB or 2 %.
  std::optional<std::size_t> reserve = {};
  int pin_threads = 2;  ///< that call the CUDA driver: one waits for pages while the other pins
};

}  // namespace mooring
