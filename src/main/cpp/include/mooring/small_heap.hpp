#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "mooring/depot.hpp"
#include "mooring/export.hpp"
#include "mooring/span_table.hpp"
#include "mooring/thread_cache.hpp"

namespace mooring {

/**
 * Blocks of up to 1 MiB for one face: a cache for each thread and stream over one depot for each
 * size class over spans of arena pages (magazines and depot after Bonwick and Adams, "Magazines and
 * Vmem", USENIX 2001). Thread-safe. A hit in the thread's cache takes no lock and makes no CUDA
 * call.
 *
 * With a fence source, a block freed on one thread and stream of a device serves that thread and
 * stream again at once, and any other only after a mark made when it left the cache has passed.
 */
class MOORING_EXPORT small_heap {
 public:
  /// @param fences null: a freed block is idle
  /// @param cache_limit most bytes that one cache keeps
  /// @param checks keep a byte for each block that tells a second free
  small_heap(face owner, page_arena& arena, span_table& spans, fence_source* fences,
             std::size_t cache_limit, bool checks);

  /// A block of at least `bytes`, or null when the arena has no pages for it.
  void* allocate(std::size_t bytes, stream_handle stream);

  /// @return false when `address` is no block in use of `s`
  bool free(span& s, void* address, stream_handle stream);

  /// Gives spans that are wholly idle back to the arena; true when there may have been any.
  bool reclaim();

  /// Flushes what the calling thread keeps for `stream`.
  void flush(stream_handle stream) { flush_all(cache_of_thread(*this, stream)); }

  /// Whether a freed block may still be read by work on its stream.
  bool is_ordered() const { return fences_ != nullptr; }

  thread_cache* acquire(device_stream stream) { return caches_.acquire(stream); }
  void retire(thread_cache& cache);

  cache_totals totals() const { return caches_.totals(); }
  void cached_bytes(std::vector<std::int64_t>& to) const { caches_.cached_bytes(to); }
  std::uint64_t parked_blocks() const { return parked_.load(std::memory_order_relaxed); }

 private:
  static std::uint32_t magazine_blocks(int size_class);

  bool reclaim_class(int size_class);
  static magazine_ptr empty_magazine(thread_cache::bin& bin);
  void put(thread_cache& cache, int size_class, magazine_ptr full);
  bool refill(thread_cache& cache, int size_class);
  bool refill_from_span(thread_cache& cache, int size_class);
  span* new_span(int size_class);
  void flush_all(thread_cache& cache);
  void make_space(thread_cache& cache, int size_class);
  void park(thread_cache& cache, int size_class);
  void flush_bin(thread_cache& cache, int size_class, std::uint32_t keep, fence_ptr const& fence);
  /// A mark on `on`, null without fences; nothing when it cannot be made.
  std::optional<fence_ptr> mark(device_stream on);
  bool mark_held(span& s, void* address, bool held);

  face owner_;
  page_arena& arena_;
  span_table& spans_;
  fence_source* fences_;
  std::size_t cache_limit_;
  bool checks_;
  std::atomic<std::uint64_t> parked_{0};
  std::array<depot, size_classes::count> depots_;
  std::mutex reclaim_mutex_;
  /// Whether a magazine has come to a depot since the last reclaim, or could not be looked at.
  std::array<std::atomic<bool>, size_classes::count> worth_reclaiming_{};
  cache_registry caches_;
};

}  // namespace mooring
