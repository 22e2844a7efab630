// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mooring/export.hpp"
#include "mooring/pool_options.hpp"

namespace mooring {

/// A CUDA stream as a plain handle, so that the pool compiles and runs without CUDA.
using stream_handle = void*;

/// An evictable buffer; never 0, and never used again.
using evictable_id = std::uint64_t;

/// Why a Java buffer did not come from the pool; the codes cross JNI. FallbackCause.java has the
/// same names in the same order.
enum class refusal_cause : std::int64_t {
  off = 1,         ///< there is no pool
  starting = 2,    ///< the pool is still being filled
  exhausted = 3,   ///< every page is in use
  fragmented = 4,  ///< there are pages enough, but no run of them that is long enough
  refused = 5      ///< the system refused to pin memory
};
inline constexpr std::size_t cause_count = 5;

/// States of the pool. PoolState.java has the same names in the same order.
enum class pool_state : std::int64_t { off, starting, ready, partial };

/// The numbers that the pool keeps about itself. PoolStat.java has the same names in the same
/// order; PoolStatTest.java compares them.
enum class pool_stat : std::size_t {
  state,                ///< a pool_state
  numa_node,            ///< -1: one node, or unknown; -2: several
  target_bytes,         ///< what was asked for
  max_bytes,            ///< what growth may reach
  capacity_bytes,       ///< usable now: mapped, touched and, with a GPU, registered
  bytes_in_use,         ///< held by callers, rounded up to blocks
  cached_bytes,         ///< free, in the caches of threads
  deferred_bytes,       ///< large blocks, freed, waiting for their stream
  page_bytes_in_use,    ///< pages taken from the arena, by callers or caches
  high_water_mark,      ///< most page bytes in use so far
  largest_free_run,     ///< bytes, over extents; a libcudf block lies in one
  allocations,          ///< served by the pool, for both clients
  frees,                ///< of both clients
  host_alloc_count,     ///< libcudf allocations beyond the pool: one cudaHostAlloc each
  leaked_blocks,        ///< not used again because their stream cannot be marked
  startup_nanos,        ///< from start to the whole size usable; 0 while starting
  first_extent_nanos,   ///< from start to the first usable byte
  fallback_bytes_held,  ///< pageable bytes, in use or kept for reuse
  fallback_limit,       ///< most pageable bytes that may be held
  wait_count,           ///< callers that waited because pool and fallback were full
  wait_nanos,           ///< how long they waited
  timeouts,             ///< waits that ended without a buffer
  requested_bytes,      ///< as asked, before rounding, of both clients, total so far
  evictable_bytes,      ///< of evictable buffers that nobody reads
  evictions,            ///< of evictable buffers, because something else needed the memory
  evicted_bytes         ///< in total so far
};
inline constexpr std::size_t pool_stat_count =
    static_cast<std::size_t>(pool_stat::evicted_bytes) + 1;

/// The pool's statistics at one moment, in the layout that crosses JNI.
struct pool_snapshot {
  std::array<std::int64_t, pool_stat_count> stats{};
  std::array<std::int64_t, cause_count> fallback_counts{};
  std::array<std::int64_t, cause_count> fallback_bytes{};

  std::int64_t& operator[](pool_stat which) { return stats[static_cast<std::size_t>(which)]; }
  std::int64_t operator[](pool_stat which) const { return stats[static_cast<std::size_t>(which)]; }
};

/// A range of the pool's memory that is registered in one call. Offset and length in bytes.
struct extent {
  std::size_t offset;
  std::size_t bytes;
  int node = -1;  ///< NUMA node of its pages; negative: any
};

/// How an extent came into use. Times in nanoseconds.
struct registration {
  extent where;
  std::int64_t since_start;  ///< from the pool's start until it was usable
  std::int64_t took;         ///< in the CUDA driver
};

/**
 * The pinned host pool of a process. One range of memory serves two clients, which share nothing
 * but pages, and a reserve of the pages is libcudf's alone:
 *
 * - Java buffers: whoever frees one guarantees that no copy of it is in flight.
 * - libcudf: allocations and frees are ordered by streams, as RMM's are.
 *
 * Thread-safe. Never destroyed, because threads and libcudf free into it until the process is gone.
 * pool_impl, which is private, is the only class derived from it.
 */
class MOORING_EXPORT pool {
 public:
  pool(pool const&) = delete;
  pool& operator=(pool const&) = delete;

  /**
   * Allocates a Java buffer.
   *
   * Returns null where the pool has no room, and also while other callers wait for memory. Copies
   * of the buffer have to be cut as `max_copy_bytes` says.
   *
   * @param bytes least size of the buffer
   * @param cause set to the reason when the result is null
   */
  void* allocate(std::size_t bytes, refusal_cause& cause) noexcept;

  /**
   * Allocates a Java buffer after a refusal, from pageable memory or from the pool, in turn with
   * other callers that wait.
   *
   * @param cause of the refusal, under which pageable memory is counted
   * @param time most that the caller waits
   * @return null when neither had room in time, and at once for more bytes than either may ever
   * have
   * @throws std::bad_alloc without memory for the pool's own records
   */
  void* allocate_waiting(std::size_t bytes, refusal_cause cause, std::chrono::milliseconds time);

  /// Frees a Java buffer of the pool. @return false when `address` is not a buffer in use
  bool free(void* address) noexcept;

  /**
   * Hands a Java buffer over to the pool, which keeps its bytes until it needs the memory: any
   * allocation that finds no room evicts such buffers first, without a wait. They do not count as
   * in use.
   *
   * @param address of a buffer above 64 KiB from or to which no copy is in flight
   * @return 0 when the caller keeps the buffer: while others wait for memory, for a shorter buffer,
   * or where `address` is not a buffer in use
   */
  evictable_id make_evictable(void* address);

  /// Keeps an evictable buffer from eviction, so that it can be read. @return false when it has
  /// been evicted or given back
  bool acquire_evictable(evictable_id id) noexcept;

  /// Ends one `acquire_evictable`: no copy of that reader is in flight.
  void release_evictable(evictable_id id);

  /// Gives an evictable buffer back, as soon as nobody reads it.
  void evict(evictable_id id);

  /// The evictable buffers that were taken for other allocations since the last call.
  std::vector<evictable_id> take_evicted();

  /// Frees a Java buffer of pageable memory. @return false when `address` is not a buffer in use
  bool free_fallback(void* address);

  /**
   * Allocates memory for libcudf.
   *
   * @param stream on which the memory is used first
   * @param alignment power of two, up to 64 KiB
   * @return null when the pool has no room
   */
  void* allocate_ordered(std::size_t bytes, stream_handle stream,
                         std::size_t alignment = 64) noexcept;

  /// Frees memory of libcudf, in the order of `stream`. @return false when `address` is not a block of
  /// libcudf in use
  bool free_ordered(void* address, stream_handle stream) noexcept;

  /// Counts an allocation of libcudf that the pool could not serve.
  void count_host_alloc() noexcept;

  /// Whether an address is the pool's. Wait-free.
  bool owns(void const* address) const noexcept;

  /// The part of the `bytes` at `address` that one copy may take: a Java buffer may span several
  /// registrations, a copy may not. All of them for memory that is not the pool's. Wait-free.
  std::size_t max_copy_bytes(void const* address, std::size_t bytes) const noexcept;

  /// Makes freed blocks usable whose streams could not be marked, and gives back grown extents and
  /// pageable memory that were not needed since the last call. Blocks and extents require a wait
  /// for the devices, so both stay while a large buffer is in use, as during every scan. Meant for
  /// a timer.
  void trim();

  pool_snapshot snapshot() const;

  /// Waits until the pool is not being filled. @return false when the time is over first
  bool await_filled(std::chrono::milliseconds time);

  /// Why the last extent was refused; empty when none was.
  std::string refusal() const;

  /// The extents that came into use since the last call.
  std::vector<registration> take_registrations();

 protected:
  pool() = default;
  ~pool() = default;
};

/// The pool of this process, or null before it is started.
MOORING_EXPORT pool* process_pool() noexcept;

/**
 * Starts to fill the pool of this process in the background.
 *
 * Where not even address space is to be had the pool is empty, and its refusal says so.
 *
 * @return false when there is one already
 * @throws std::invalid_argument for sizes or thread counts that make no sense
 */
MOORING_EXPORT bool start_process_pool(pool_options const& options);

}  // namespace mooring
