// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "mooring/export.hpp"

namespace mooring {

/**
 * The address range of the pool: reserved once at its greatest size, aligned to huge pages, so that
 * one comparison tells whether an address is the pool's. Never given back. Immutable.
 */
class MOORING_EXPORT slab {
 public:
  static constexpr std::size_t huge_page = 2UL << 20;

  /// Rounds up to whole huge pages.
  static constexpr std::size_t rounded(std::size_t bytes) {
    return (bytes + huge_page - 1) / huge_page * huge_page;
  }

  /**
   * Reserves address space, which nobody may use yet and no limit on memory counts. Of no bytes
   * where that is refused.
   *
   * @param bytes multiple of `huge_page`
   */
  explicit slab(std::size_t bytes);

  /// Makes a range usable; false when the system commits no memory for it.
  bool open(std::size_t offset, std::size_t bytes) const noexcept;

  /// Has a range take its pages from a NUMA node while that has free ones; negative: from any.
  void bind(std::size_t offset, std::size_t bytes, int node) const noexcept;

  std::byte* base() const { return base_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* base_;
  std::size_t bytes_;
};

}  // namespace mooring
