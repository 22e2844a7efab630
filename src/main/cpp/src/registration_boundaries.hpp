// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mooring/export.hpp"

namespace mooring {

/**
 * Where in a slab registrations begin, by huge page: one copy may not go across. Thread-safe;
 * reading is wait-free. A boundary stays when its registration is gone, which costs a cut copy.
 */
class MOORING_EXPORT registration_boundaries {
 public:
  registration_boundaries(std::byte* base, std::size_t bytes);

  /// A registration begins `offset` bytes into the slab, a multiple of huge pages.
  void add(std::size_t offset);

  /// How many of the `bytes` at `address` one copy may take; all of them outside of the slab.
  std::size_t max_copy_bytes(void const* address, std::size_t bytes) const;

 private:
  static constexpr std::size_t bits = 64;

  /// The first marked page of [from, to), or `to`.
  std::size_t first_of(std::size_t from, std::size_t to) const;

  std::byte* base_;
  std::size_t bytes_;
  std::vector<std::atomic<std::uint64_t>> marks_;
};

/// Calls `use(offset, length)` for each part, in order, of the `bytes` at `address` that one copy
/// may take, as `memory.max_copy_bytes` says: boundaries, or a pool.
template <typename Memory, typename Use>
void for_each_part(Memory const& memory, void const* address, std::size_t bytes, Use use) {
  for (std::size_t at = 0; at < bytes;) {
    auto const length =
        memory.max_copy_bytes(static_cast<std::byte const*>(address) + at, bytes - at);
    use(at, length);
    at += length;
  }
}

}  // namespace mooring
