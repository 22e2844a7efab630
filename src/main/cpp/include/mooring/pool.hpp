#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mooring/deferred_frees.hpp"
#include "mooring/export.hpp"
#include "mooring/fallback_store.hpp"
#include "mooring/fence.hpp"
#include "mooring/large_heap.hpp"
#include "mooring/page_arena.hpp"
#include "mooring/pool_stats.hpp"
#include "mooring/slab.hpp"
#include "mooring/slab_source.hpp"
#include "mooring/slab_starter.hpp"
#include "mooring/small_heap.hpp"
#include "mooring/span_table.hpp"
#include "mooring/wait_queue.hpp"

namespace mooring {

/// How a pool is made. Sizes in bytes.
struct pool_options {
  std::size_t size;                  ///< to start with; 0: the pool is off
  std::size_t max_size;              ///< that growth may reach; at least `size`
  std::size_t fallback_limit = 0;    ///< most pageable memory beside the pool
  int threads = 1;                   ///< that touch memory at start
  int device = -1;                   ///< whose driver pins; negative: memory stays pageable
  std::vector<int> numa_nodes = {};  ///< that memory is shared out to; empty: any
  bool checks = false;               ///< tell double frees
  std::size_t chunk_bytes = 0;       ///< most that is pinned in one call; 0: as usual
  /// Kept from Java for libcudf, at most a quarter of the pool; nothing said: 64 MiB or 2 %.
  std::optional<std::size_t> reserve = {};
  int pin_threads = 2;  ///< that call the driver at start: one waits for pages while one pins
};

/**
 * The pinned host pool. One range of memory serves two faces, which share nothing but pages, and of
 * those a reserve is libcudf's alone:
 *
 * - Java buffers: a free means that no copy is in flight any more.
 * - libcudf: stream-ordered; see small_heap for when a block may serve again.
 *
 * Thread-safe. Never destroyed, because threads and libcudf free into it until the process is gone.
 */
class MOORING_EXPORT pool {
 public:
  /**
   * Starts to fill the pool in the background.
   *
   * Where not even address space is to be had, the pool is empty, and its refusal says so.
   *
   * @throws std::invalid_argument for sizes or thread counts that make no sense
   * @param fences how libcudf's frees are marked; null: they are idle at once
   * @param source null: by the device of the options
   */
  pool(pool_options const& options, std::unique_ptr<fence_source> fences,
       std::unique_ptr<slab_source> source = nullptr);
  ~pool() = delete;

  /// A Java buffer of at least `bytes`, or null, as always while others wait; `cause` then says why.
  /// Copies of it are to be cut as `reach` tells.
  void* allocate(std::size_t bytes, refusal_cause& cause) noexcept;

  /// @return false when `address` is no Java buffer in use
  bool free(void* address) noexcept;

  /**
   * Memory for libcudf, or null when the pool has none.
   *
   * @param alignment power of two, up to page_arena::page_bytes
   */
  void* allocate_ordered(std::size_t bytes, stream_handle stream,
                         std::size_t alignment = size_classes::alignment) noexcept;

  /// @return false when `address` is no libcudf block in use of this pool
  bool free_ordered(void* address, stream_handle stream) noexcept;

  /// Counts a libcudf allocation that had to go past the pool.
  void count_host_alloc() noexcept { host_allocs_++; }

  /**
   * A Java buffer after a refusal: from the fallback store or from the pool, in turn with others
   * that wait. Null when neither has room in time, and at once for more than either may ever have.
   *
   * @param cause of the refusal, under which pageable memory is counted
   * @throws std::bad_alloc without memory for the pool's own records
   */
  void* allocate_waiting(std::size_t bytes, refusal_cause cause, std::chrono::milliseconds time);

  /// Settles what could not be marked, and gives back what was not needed since the last call:
  /// grown chunks and pageable memory. Chunks wait for devices, so they stay while a long buffer is
  /// in use, as it is beside every scan. Meant for a timer.
  void trim();

  pool_snapshot snapshot() const;

  bool owns(void const* address) const { return spans_.owns(address); }

  /// How many of the `bytes` at `address` one copy may take: a Java buffer may lie in several
  /// registrations, a copy may not. Wait-free; all of them for memory that is not the pool's.
  std::size_t reach(void const* address, std::size_t bytes) const {
    return borders_.reach(address, bytes);
  }

  slab_starter& starter() { return starter_; }
  fallback_store& fallback() { return fallback_; }
  wait_queue const& line() const { return line_; }
  small_heap& heap(face f) { return f == face::java ? java_ : libcudf_; }

 private:
  void* allocate_in_turn(std::size_t bytes, refusal_cause& cause) noexcept;
  void* serve(face owner, std::size_t bytes, stream_handle stream) noexcept;
  void* try_serve(face owner, std::size_t bytes, stream_handle stream);
  bool release(face owner, void* address, stream_handle stream) noexcept;
  std::size_t most_for_java() const;
  void make_room();
  void request_growth(face owner, std::size_t bytes);
  void settle(void* block);
  void count_fallback(refusal_cause cause, std::size_t bytes) noexcept;
  refusal_cause cause_of_refusal(std::size_t bytes) const noexcept;

  pool_options options_;
  slab memory_;
  page_arena arena_;
  span_table spans_;
  std::unique_ptr<fence_source> fences_;
  std::unique_ptr<slab_source> source_;
  registration_borders borders_;
  slab_starter starter_;
  deferred_frees deferred_;
  small_heap java_;
  small_heap libcudf_;
  large_heap large_;
  wait_queue line_;
  fallback_store fallback_;
  std::atomic<std::uint64_t> lost_frees_{0};
  std::atomic<std::uint64_t> host_allocs_{0};
  std::array<std::atomic<std::uint64_t>, cause_count> fallbacks_{};
  std::array<std::atomic<std::uint64_t>, cause_count> fallback_bytes_{};
};

/// The pool of this process, or null before it is started.
MOORING_EXPORT pool* process_pool() noexcept;

/// Starts the pool of this process; false when there is one already. Source and errors as of pool.
MOORING_EXPORT bool start_process_pool(pool_options const& options,
                                       std::unique_ptr<slab_source> source = nullptr);

}  // namespace mooring
