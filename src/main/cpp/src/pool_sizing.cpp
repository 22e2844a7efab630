// SPDX-License-Identifier: Apache-2.0

#include "pool_sizing.hpp"

#include <algorithm>
#include <stdexcept>

#include "page_arena.hpp"
#include "slab.hpp"

namespace mooring {

namespace {

// libcudf has far less in use beside the tasks of a scan.
constexpr std::size_t least_reserve = 64UL << 20;
constexpr std::size_t reserve_share = 50;

// While threads touch memory, extents of 1 GiB take longer to register, and 32 MiB is no faster.
constexpr std::size_t default_extent = 128UL << 20;
// Searches over all extents hold the arena's lock, so a pool has few.
constexpr std::size_t most_extents = 128;
// A single registration of 512 GiB fails on current drivers.
constexpr std::size_t largest_extent = 64UL << 30;

}  // namespace

std::uint64_t reserve_pages(pool_options const& options) {
  auto const usual = std::max(least_reserve, options.size / reserve_share);
  return options.reserve.value_or(usual) / page_arena::page_bytes;
}

filler_options filler_options_of(pool_options const& options) {
  auto bytes = options.extent_bytes;
  if (bytes == 0) bytes = std::max(default_extent, options.size / most_extents);
  bytes = std::min(slab::rounded(bytes), largest_extent);
  return {bytes, options.threads, options.pin_threads, options.numa_nodes};
}

pool_options checked(pool_options options) {
  // The whole user address space; also keeps page numbers within 32 bits.
  constexpr std::size_t most = 1UL << 47;
  if (options.size > most || options.max_size > most || options.fallback_limit > most) {
    throw std::invalid_argument{"The pool does not fit into the address space"};
  }
  if (options.threads < 1 || options.pin_threads < 1) {
    throw std::invalid_argument{"The pool needs at least one thread for its start"};
  }
  options.max_size = slab::rounded(std::max(options.size, options.max_size));
  return options;
}

}  // namespace mooring
