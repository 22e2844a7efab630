#pragma once

#include <array>
#include <cstdint>

namespace mooring {

/// Why a Java buffer did not come from the pool; the codes cross JNI.
enum class refusal_cause : std::int64_t {
  off = 1,
  starting = 2,
  exhausted = 3,
  fragmented = 4,
  refused = 5
};
inline constexpr int cause_count = 5;

/// Order of the figures in a snapshot. PoolStats.java decodes the same order.
enum class stat : int {
  state,              ///< pool_state
  numa_node,          ///< -1: one node, or unknown; -2: several
  target_bytes,       ///< what was asked for
  max_bytes,          ///< what growth may reach
  capacity_bytes,     ///< usable now: mapped, touched and, with a GPU, registered
  bytes_in_use,       ///< held by callers, rounded up to blocks
  cached_bytes,       ///< free, in the caches of threads
  deferred_bytes,     ///< freed, waiting for their stream
  page_bytes_in_use,  ///< pages taken from the arena, by callers or caches
  high_water_mark,    ///< most page bytes in use so far
  largest_free_run,   ///< bytes, over registrations: a libcudf block lies in one
  allocations,        ///< served by the pool, both faces
  frees,
  libcudf_allocations,
  host_alloc_count,  ///< libcudf allocations beyond the pool: one cudaHostAlloc each
  host_alloc_bytes,
  parked_blocks,        ///< given up for ever because their stream could not be marked
  startup_nanos,        ///< from start to the whole size usable; 0 while starting
  first_chunk_nanos,    ///< from start to the first usable byte
  fallback_bytes_held,  ///< pageable bytes, in use or kept for reuse
  fallback_limit,
  wait_count,  ///< callers that waited for fallback memory
  wait_nanos,
  timeouts,
  requested_bytes,       ///< as asked, before rounding, both faces, total so far
  granted_bytes,         ///< the same after rounding
  fallback_count_first,  ///< one for each cause
  fallback_bytes_first = fallback_count_first + cause_count,  ///< one for each cause
  latency_first = fallback_bytes_first + cause_count,         ///< log2 nanoseconds, 32 bins
  size = latency_first + 32
};

enum class pool_state : std::int64_t { off = 0, starting = 1, ready = 2, partial = 3 };

using pool_snapshot = std::array<std::int64_t, static_cast<std::size_t>(stat::size)>;

}  // namespace mooring
