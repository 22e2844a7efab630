#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "mooring/export.hpp"

namespace mooring {

/// A run of neighbouring pages: index of the first, and how many.
struct page_run {
  std::uint32_t first;
  std::uint32_t pages;
};

/// Page counts of an arena at one moment.
struct arena_usage {
  std::uint64_t total;
  std::uint64_t used;
  std::uint64_t most_used;
  std::uint64_t largest_free_run;
};

/**
 * Hands out runs of pages by best fit and joins neighbours again when they come back. Knows page
 * numbers only, never memory. Thread-safe; every call takes one mutex and makes no CUDA call.
 *
 * Pages come and go in extents (what was registered in one call). A run never crosses the border of
 * an extent, because one copy may not span two registrations.
 */
class MOORING_EXPORT page_arena {
 public:
  /// 64 KiB: small enough that rounding up a buffer above 1 MiB wastes at most 6 %.
  static constexpr std::size_t page_bytes = 64UL << 10;

  static std::uint32_t pages_for(std::size_t bytes) {
    return static_cast<std::uint32_t>((bytes + page_bytes - 1) / page_bytes);
  }

  void add_extent(page_run extent);

  /// Takes back an extent none of whose pages is in use; false when some are.
  bool remove_extent(page_run extent);

  /// The smallest free run that fits, or nothing.
  std::optional<page_run> allocate(std::uint32_t pages);

  void release(page_run run);

  arena_usage usage() const;

  /// The most pages in use at once since the last call.
  std::uint64_t take_recent_peak();

 private:
  using free_map = std::map<std::uint32_t, std::uint32_t>;

  void insert_free(page_run run);
  void erase_free(free_map::iterator run);
  bool is_border(std::uint32_t page) const { return extents_.count(page) != 0; }

  mutable std::mutex mutex_;
  free_map free_by_first_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> free_by_size_;  // pages, first
  std::map<std::uint32_t, std::uint32_t> extents_;
  std::uint64_t total_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t most_used_ = 0;
  std::uint64_t recently_most_used_ = 0;
};

}  // namespace mooring
