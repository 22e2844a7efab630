#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mooring/export.hpp"
#include "mooring/fallback_store.hpp"
#include "mooring/fence.hpp"
#include "mooring/page_arena.hpp"
#include "mooring/pool_stats.hpp"
#include "mooring/slab.hpp"
#include "mooring/slab_starter.hpp"
#include "mooring/small_heap.hpp"
#include "mooring/span_table.hpp"

namespace mooring {

/// How a pool is made.
struct pool_options {
  std::size_t size;                ///< bytes to start with
  std::size_t max_size;            ///< bytes that growth may reach; at least `size`
  std::size_t fallback_limit = 0;  ///< most pageable bytes beside the pool
  int threads = 1;                 ///< that touch memory at start
  int device = -1;                 ///< whose driver pins; negative: memory stays pageable
  int numa_node = -1;              ///< negative: any
  bool checks = false;             ///< tell double frees
};

/**
 * The pinned host pool. One range of memory serves two faces, which share nothing but pages:
 *
 * - Java buffers: a free means that no copy is in flight any more.
 * - libcudf: stream-ordered; see small_heap for when a block may serve again.
 *
 * Thread-safe. Never destroyed once libcudf has seen it, because libcudf frees into it late.
 */
class MOORING_EXPORT pool {
 public:
  /// Starts to fill the pool in the background. @throws std::bad_alloc without address space
  pool(pool_options const& options, std::unique_ptr<fence_source> fences);

  /// A Java buffer of at least `bytes`, or null; `cause` then says why.
  void* allocate(std::size_t bytes, refusal_cause& cause) noexcept;

  /// @return false when `address` is no Java buffer in use
  bool free(void* address) noexcept;

  /// Memory for libcudf, from the pool or null. @throws nothing
  void* allocate_ordered(std::size_t bytes, stream_handle stream) noexcept;

  /// @return false when `address` is no libcudf block in use of this pool
  bool free_ordered(void* address, stream_handle stream) noexcept;

  /// Counts a libcudf allocation that had to go past the pool.
  void count_host_alloc(std::size_t bytes) noexcept;

  /// Counts a Java buffer that fell back to pageable memory.
  void count_fallback(refusal_cause cause, std::size_t bytes) noexcept;

  /// Gives idle spans and grown chunks back. Meant for a timer.
  void trim();

  pool_snapshot snapshot() const;

  bool owns(void const* address) const { return spans_.owns(address); }
  slab_starter& starter() { return starter_; }
  fallback_store& fallback() { return fallback_; }
  small_heap& heap(face f) { return f == face::java ? java_ : libcudf_; }

 private:
  struct deferred_run {
    span* run;
    fence_ptr fence;
  };

  void* allocate_small(small_heap& heap, std::size_t bytes, stream_handle stream);
  void* allocate_large(face owner, std::size_t bytes);
  void release_large(span& s);
  void defer_large(span& s, stream_handle stream);
  bool release_passed();
  bool make_room();
  refusal_cause cause_of_refusal(std::size_t bytes) const;

  pool_options options_;
  slab memory_;
  page_arena arena_;
  span_table spans_;
  std::unique_ptr<fence_source> fences_;
  slab_starter starter_;
  small_heap java_;
  small_heap libcudf_;
  fallback_store fallback_;

  std::mutex deferred_mutex_;
  std::vector<deferred_run> deferred_;
  std::atomic<std::uint64_t> deferred_bytes_{0};
  std::atomic<std::uint64_t> large_allocations_{0};
  std::atomic<std::uint64_t> large_ordered_{0};
  std::atomic<std::uint64_t> large_frees_{0};
  std::atomic<std::uint64_t> large_bytes_{0};
  std::atomic<std::uint64_t> large_requested_{0};
  std::atomic<std::uint64_t> large_granted_{0};
  std::atomic<std::uint64_t> large_parked_{0};
  std::atomic<std::uint64_t> host_allocs_{0};
  std::atomic<std::uint64_t> host_alloc_bytes_{0};
  std::array<std::atomic<std::uint64_t>, cause_count> fallbacks_{};
  std::array<std::atomic<std::uint64_t>, cause_count> fallback_bytes_{};
  std::array<std::atomic<std::uint64_t>, 32> latency_{};
};

/// The pool of this process, or null before it is started.
MOORING_EXPORT pool* process_pool() noexcept;

/// Starts the pool of this process; false when there is one already.
MOORING_EXPORT bool start_process_pool(pool_options const& options);

}  // namespace mooring
