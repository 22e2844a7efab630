// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "adaptive_mutex.hpp"
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
  std::uint64_t largest_free_run;  ///< over boundaries of extents
};

/// Who uses a block; that never changes while it is in use.
enum class client : std::uint8_t { java, libcudf };

/// The use of a run of pages, which decides where it may lie.
enum class run_use : std::uint8_t {
  small_blocks,  ///< at the end of a free run; libcudf's never in an extent that growth has added
  one_block,     ///< at the start of a free run, within one extent
  long_buffer    ///< as one_block, but over several extents where none has room
};

/// Whether adjacent runs of different nodes count as one.
enum class node_boundaries { respected, crossed };

/**
 * Hands out runs of pages by best fit and joins neighbours again when they come back. Knows page
 * numbers only, never memory. Thread-safe; every call takes one mutex and makes no CUDA call.
 *
 * Pages come and go in extents, each registered in one call. One copy may not span two
 * registrations, so a run crosses a boundary only for clients that cut their copies there. A
 * reserve of the pages is never Java's: its buffers are long and would leave nothing to libcudf's
 * many small ones.
 */
class MOORING_EXPORT page_arena {
 public:
  /// 64 KiB: small enough that rounding up a buffer above 1 MiB wastes at most 6 %.
  static constexpr std::size_t page_bytes = 64UL << 10;

  static std::uint32_t pages_for(std::size_t bytes) {
    return static_cast<std::uint32_t>((bytes + page_bytes - 1) / page_bytes);
  }

  /// @param reserve most pages that are kept from Java; never more than a quarter of all
  explicit page_arena(std::uint64_t reserve = 0) : reserve_{reserve} {}

  /// The pages that Java may have, by the number of all pages: the rest is the reserve.
  std::uint64_t java_share(std::uint64_t total) const noexcept {
    return total - std::min(reserve_, total / 4);
  }

  /// @param node NUMA node of its memory; negative: unknown
  /// @param grown added by growth, and to be taken back some day
  void add_extent(page_run extent, int node = -1, bool grown = false);

  /// Takes an extent back if none of its pages is in use; false when some are.
  bool remove_extent(page_run extent);

  /// Allocates the smallest free run that fits, from the node `near` where that has one; or nothing.
  /// A long buffer that no extent has room for gets the shortest sequence of adjacent free runs that
  /// is long enough: of `near`, else of any one node, else of several.
  std::optional<page_run> allocate(client owner, std::uint32_t pages, run_use use, int near = -1);

  /// Takes a run back, whole, from the client that had it.
  void release(client owner, page_run run);

  /// Marks a run in use as evictable, or as not evictable any more. It cannot be allocated either way, but
  /// evictable pages do not count as used.
  void set_evictable(page_run run, bool evictable);

  /// Takes an evictable run back from Java.
  void release_evictable(page_run run);

  arena_usage usage() const;

  /// Pages that a client may still take, in one run or many.
  std::uint64_t free_pages(client owner) const;

  /// The most pages in use at once since the last call.
  std::uint64_t take_recent_peak();

 private:
  using free_map = std::map<std::uint32_t, std::uint32_t>;
  using sizes = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // pages, first

  struct extent {
    std::uint32_t pages;
    int node;
    bool grown;
  };
  /// Free runs are kept apart by node, and by whether growth has added them.
  using kind = std::pair<int, bool>;

  bool may_have(client owner, std::uint32_t pages) const;
  void note_peak();
  void put_back(client owner, page_run run);
  std::optional<page_run> best_fit(std::uint32_t pages, bool also_grown, int near) const;
  /// Calls `use(run, node)` for each sequence of free runs that meet at boundaries of extents. Takes
  /// one step for each extent, however many runs are free.
  template <typename Use>
  void for_each_adjacent_free(node_boundaries nodes, Use use) const;
  std::optional<page_run> best_adjacent(std::uint32_t pages, int near) const;
  std::uint32_t free_from(std::uint32_t page) const;
  page_run free_until(std::uint32_t page) const;
  void take(page_run free, page_run run);
  void give_back(page_run run);
  std::uint32_t extent_end(std::uint32_t page) const {
    auto const e = std::prev(extents_.upper_bound(page));
    return e->first + e->second.pages;
  }
  kind kind_of(std::uint32_t page) const {
    auto const& e = std::prev(extents_.upper_bound(page))->second;
    return {e.node, e.grown};
  }
  void insert_free(page_run run);
  void erase_free(free_map::iterator run);
  bool is_boundary(std::uint32_t page) const { return extents_.count(page) != 0; }

  std::uint64_t const reserve_;
  mutable adaptive_mutex mutex_;
  free_map free_by_first_;
  std::map<kind, sizes> free_by_size_;
  free_map::node_type spare_run_;  ///< with spare_size_: both or none
  sizes::node_type spare_size_;
  std::map<std::uint32_t, extent> extents_;
  std::uint64_t total_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t used_by_java_ = 0;
  std::uint64_t evictable_ = 0;  ///< of the used ones
  std::uint64_t most_used_ = 0;
  std::uint64_t recently_most_used_ = 0;
};

}  // namespace mooring
