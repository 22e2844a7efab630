// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "deferred_frees.hpp"
#include "heap_usage.hpp"
#include "mooring/export.hpp"
#include "span_list.hpp"
#include "span_table.hpp"
#include "thread_cache.hpp"

namespace mooring {

/**
 * Blocks of up to 64 KiB for one client: a cache for each thread and device, over one list of idle
 * blocks for each size class, over spans of arena pages. Thread-safe. A hit in the thread's cache
 * takes no lock and makes no CUDA call.
 *
 * Where blocks are ordered by streams, a cache holds blocks that its thread freed on its per-thread
 * default stream. The thread may use them again on that stream at once. Others may use a block
 * after it has left the cache and the mark made then has passed. Blocks freed on any other stream
 * are not cached: the stream may be destroyed and its handle used again, so the mark is made at the
 * free.
 */
class MOORING_EXPORT small_heap {
 public:
  /// @param deferred where blocks wait for their streams; null: a freed block is idle
  /// @param share most bytes that all caches together keep
  /// @param checks keep a byte for each block that tells a second free
  small_heap(client owner, page_arena& arena, span_table& spans, deferred_frees* deferred,
             std::size_t share, bool checks);

  /// A block of at least `bytes`, or null when the arena has no pages for it.
  void* allocate(std::size_t bytes, stream_handle stream);

  /// @return false when `address` is not a block of `s` in use
  bool free(span& s, void* address, stream_handle stream);

  /// Takes blocks that nothing reads any more; spans that become idle go back to the arena.
  void put_idle(int size_class, void* const* blocks, std::uint32_t count);

  /// Makes the blocks that idle threads cache available to all. Does nothing for libcudf's heap:
  /// only a thread itself can mark its per-thread stream.
  void drain_caches();

  /// Flushes the caches of the calling thread.
  void flush();

  /// Whether a freed block may still be read by work on its stream.
  bool is_ordered() const { return deferred_ != nullptr; }
  client owner() const { return owner_; }

  thread_cache* acquire(int device) { return caches_.acquire(device); }
  void retire(thread_cache& cache) noexcept;

  /// The number of blocks that move between a thread and the list of their class at once.
  static std::uint32_t batch_blocks(int size_class);

  heap_usage usage() const;
  /// Bytes of free blocks that threads keep in their caches.
  std::uint64_t cached_bytes() const;
  /// Blocks that are never used again, because there was no memory for the pool's own records.
  std::uint64_t lost_blocks() const { return lost_.load(std::memory_order_relaxed); }

 private:
  thread_cache* cache_for(stream_handle stream) noexcept;
  bool raise_allowance(thread_cache& cache, std::size_t bytes) noexcept;
  bool make_room(thread_cache& cache, std::size_t bytes) noexcept;
  void* refill(thread_cache* cache, int size_class);
  std::uint32_t take_idle(int size_class, void** to, std::uint32_t most);
  span* new_span(int size_class);
  void flush_all(thread_cache& cache) noexcept;
  void flush_classes(thread_cache& cache, int first, int end, std::uint32_t most) noexcept;
  void defer(std::vector<void*>&& blocks, device_stream freed_on) noexcept;
  bool mark_held(span& s, void* address, bool held);
  template <typename Count>
  void count(thread_cache* cache, Count add);

  client const owner_;
  page_arena& arena_;
  span_table& spans_;
  deferred_frees* const deferred_;
  bool const checks_;
  std::atomic<std::int64_t> share_left_;
  std::atomic<std::uint64_t> lost_{0};
  std::array<span_list, size_classes::count> idle_;
  cache_registry caches_;
  std::mutex uncached_mutex_;
  cache_counters uncached_;  ///< of blocks that went past the caches
};

}  // namespace mooring
