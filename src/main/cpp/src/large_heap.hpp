// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "deferred_frees.hpp"
#include "heap_usage.hpp"
#include "mooring/export.hpp"
#include "page_arena.hpp"
#include "span_table.hpp"

namespace mooring {

/**
 * Blocks above the largest size class: one run of pages each. A Java block returns to the arena at
 * once; a libcudf block once the mark made at its free has passed. Thread-safe.
 */
class MOORING_EXPORT large_heap {
 public:
  /// @param deferred where libcudf's blocks wait for their streams; null: a freed block is idle
  large_heap(page_arena& arena, span_table& spans, deferred_frees* deferred)
      : arena_{arena}, spans_{spans}, deferred_{deferred} {}

  /// A block of at least `bytes`, or null when no free run is that long.
  void* allocate(client owner, std::size_t bytes);

  /// @return false when `address` is not a block of `s` in use
  bool free(span& s, void* address, stream_handle stream);

  /// Gives blocks that nothing reads any more back to the arena.
  void put_idle(span& s);

  /// Lends a Java block to the list of evictable blocks: it is not in use any more, and cannot be
  /// freed.
  /// @return false when `address` is not a block of `s` in use
  bool lend(span& s, void* address);
  /// Counts a lent block as in use, while it is read.
  void reclaim(span& s);
  /// Ends `reclaim`.
  void lend_again(span& s);
  /// Gives a lent block back to the arena.
  void evict(span& s);

  heap_usage usage() const;
  /// Bytes of freed blocks that wait for their stream.
  std::uint64_t deferred_bytes() const { return deferred_bytes_; }

 private:
  void release(span& s);
  page_run forget(span& s);

  page_arena& arena_;
  span_table& spans_;
  deferred_frees* const deferred_;
  std::atomic<std::uint64_t> deferred_bytes_{0};
  std::atomic<std::uint64_t> allocations_{0};
  std::atomic<std::uint64_t> frees_{0};
  std::atomic<std::uint64_t> in_use_{0};
  std::atomic<std::uint64_t> requested_{0};
};

}  // namespace mooring
