#pragma once

#include <cstddef>
#include <string>

#include "mooring/export.hpp"

namespace mooring {

/**
 * The address range of the pool: reserved once at its greatest size, aligned to huge pages, so that
 * one comparison tells whether an address is the pool's. Not thread-safe in itself: each call
 * concerns pages that no other thread is changing.
 */
class MOORING_EXPORT slab {
 public:
  static constexpr std::size_t huge_page = 2UL << 20;

  /**
   * Reserves address space; no memory is taken yet.
   *
   * @param bytes multiple of `huge_page`
   * @param numa_node node to take pages from; negative: any
   * @throws std::bad_alloc when the address space is refused
   */
  slab(std::size_t bytes, int numa_node);

  std::byte* base() const { return base_; }
  std::size_t bytes() const { return bytes_; }

  /// Takes memory for a stretch by writing to it; false when the system has none.
  bool touch(std::size_t offset, std::size_t bytes) const noexcept;

  /// Pins a touched stretch for all devices; the empty string, or why not.
  std::string pin(std::size_t offset, std::size_t bytes) const;

  void unpin(std::size_t offset) const noexcept;

  /// Gives the memory of a stretch back to the system.
  void discard(std::size_t offset, std::size_t bytes) const noexcept;

 private:
  std::byte* base_;
  std::size_t bytes_;
};

}  // namespace mooring
