#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
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
  std::uint64_t largest_free_run;  ///< over borders
};

/// Whether a run may go on from one extent, or node, into the next.
enum class borders { kept, crossed };

/**
 * Hands out runs of pages by best fit and joins neighbours again when they come back. Knows page
 * numbers only, never memory. Thread-safe; every call takes one mutex and makes no CUDA call.
 *
 * Pages come and go in extents (what was registered in one call). One copy may not span two
 * registrations, so a run crosses a border only for those who cut their copies there.
 */
class MOORING_EXPORT page_arena {
 public:
  /// 64 KiB: small enough that rounding up a buffer above 1 MiB wastes at most 6 %.
  static constexpr std::size_t page_bytes = 64UL << 10;

  static std::uint32_t pages_for(std::size_t bytes) {
    return static_cast<std::uint32_t>((bytes + page_bytes - 1) / page_bytes);
  }

  /// @param node NUMA node of its memory; negative: unknown
  void add_extent(page_run extent, int node = -1);

  /// Takes back an extent none of whose pages is in use; false when some are.
  bool remove_extent(page_run extent);

  /// The smallest free run that fits, of the node `near` where that has one; or nothing. Where no
  /// extent has one, and borders may be crossed: the shortest row of free runs that is enough, of
  /// `near`, else of any one node, else of several.
  std::optional<page_run> allocate(std::uint32_t pages, int near = -1,
                                   borders between = borders::kept);

  void release(page_run run);

  arena_usage usage() const;

  /// In one run or many.
  std::uint64_t free_pages() const;

  /// The most pages in use at once since the last call.
  std::uint64_t take_recent_peak();

 private:
  using free_map = std::map<std::uint32_t, std::uint32_t>;
  using sizes = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // pages, first

  struct extent {
    std::uint32_t pages;
    int node;
  };

  std::optional<page_run> best_fit(std::uint32_t pages, int near) const;
  /// Calls `use(row, node)` for the free pages at each border of extents: all that any row of
  /// several runs is of. One step for each extent, however many runs are free.
  template <typename Use>
  void for_each_row(borders of_nodes, Use use) const;
  std::optional<page_run> best_row(std::uint32_t pages, int near) const;
  std::uint32_t free_from(std::uint32_t page) const;
  page_run free_until(std::uint32_t page) const;
  void take(page_run run);
  void give_back(page_run run);
  std::uint32_t extent_end(std::uint32_t page) const {
    auto const e = std::prev(extents_.upper_bound(page));
    return e->first + e->second.pages;
  }
  int node_of(std::uint32_t page) const {
    return std::prev(extents_.upper_bound(page))->second.node;
  }
  void insert_free(page_run run);
  void erase_free(free_map::iterator run);
  bool is_border(std::uint32_t page) const { return extents_.count(page) != 0; }

  mutable std::mutex mutex_;
  free_map free_by_first_;
  std::map<int, sizes> free_by_size_;  // by node
  std::map<std::uint32_t, extent> extents_;
  std::uint64_t total_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t most_used_ = 0;
  std::uint64_t recently_most_used_ = 0;
};

}  // namespace mooring
