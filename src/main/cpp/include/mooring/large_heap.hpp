#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "mooring/depot.hpp"
#include "mooring/export.hpp"
#include "mooring/page_arena.hpp"
#include "mooring/span_table.hpp"

namespace mooring {

/// What passed through a large heap so far; `in_use` and `deferred` are now. Bytes but for counts.
struct large_usage {
  std::uint64_t java_allocations;
  std::uint64_t libcudf_allocations;
  std::uint64_t frees;
  std::uint64_t in_use;
  std::uint64_t deferred;
  std::uint64_t requested;
  std::uint64_t granted;
  std::uint64_t parked;  ///< blocks
};

/**
 * Blocks above the largest size class: one run of pages each. A Java block returns to the arena at
 * once; a libcudf block waits in a list until the mark made at its free has passed. Thread-safe.
 */
class MOORING_EXPORT large_heap {
 public:
  /// @param fences null: a freed block is idle
  large_heap(page_arena& arena, span_table& spans, fence_source* fences)
      : arena_{arena}, spans_{spans}, fences_{fences} {}

  /// A block of at least `bytes`, or null when no free run is that long.
  void* allocate(face owner, std::size_t bytes);

  /// @return false when `address` is no block in use of `s`
  bool free(span& s, void* address, stream_handle stream);

  /// Returns the freed blocks whose marks have passed to the arena; true when there were any.
  bool release_passed();

  large_usage usage() const;

 private:
  struct deferred_run {
    span* run;
    fence_ptr fence;
  };

  void release(span& s);
  void defer(span& s, stream_handle stream);

  page_arena& arena_;
  span_table& spans_;
  fence_source* fences_;
  std::mutex deferred_mutex_;
  std::vector<deferred_run> deferred_;
  std::atomic<std::uint64_t> deferred_bytes_{0};
  std::atomic<std::uint64_t> java_allocations_{0};
  std::atomic<std::uint64_t> libcudf_allocations_{0};
  std::atomic<std::uint64_t> frees_{0};
  std::atomic<std::uint64_t> in_use_{0};
  std::atomic<std::uint64_t> requested_{0};
  std::atomic<std::uint64_t> granted_{0};
  std::atomic<std::uint64_t> parked_{0};
};

}  // namespace mooring
