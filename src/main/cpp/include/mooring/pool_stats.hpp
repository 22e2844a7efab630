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

enum class pool_state : std::int64_t { off = 0, starting = 1, ready = 2, partial = 3 };

/// The pool's figures at one moment. PoolStats.java decodes them in the same order.
struct pool_snapshot {
  std::int64_t state = 0;              ///< pool_state
  std::int64_t numa_node = 0;          ///< -1: one node, or unknown; -2: several
  std::int64_t target_bytes = 0;       ///< what was asked for
  std::int64_t max_bytes = 0;          ///< what growth may reach
  std::int64_t capacity_bytes = 0;     ///< usable now: mapped, touched and, with a GPU, registered
  std::int64_t bytes_in_use = 0;       ///< held by callers, rounded up to blocks
  std::int64_t cached_bytes = 0;       ///< free, in the caches of threads
  std::int64_t deferred_bytes = 0;     ///< long blocks, freed, waiting for their stream
  std::int64_t page_bytes_in_use = 0;  ///< pages taken from the arena, by callers or caches
  std::int64_t high_water_mark = 0;    ///< most page bytes in use so far
  std::int64_t largest_free_run = 0;   ///< bytes, over registrations: a libcudf block lies in one
  std::int64_t allocations = 0;        ///< served by the pool, both faces
  std::int64_t frees = 0;
  std::int64_t host_alloc_count = 0;     ///< libcudf allocations beyond the pool: one cudaHostAlloc
  std::int64_t parked_blocks = 0;        ///< given up because their stream cannot be marked
  std::int64_t startup_nanos = 0;        ///< from start to the whole size usable; 0 while starting
  std::int64_t first_chunk_nanos = 0;    ///< from start to the first usable byte
  std::int64_t fallback_bytes_held = 0;  ///< pageable bytes, in use or kept for reuse
  std::int64_t fallback_limit = 0;
  std::int64_t wait_count = 0;  ///< callers that waited for fallback memory
  std::int64_t wait_nanos = 0;
  std::int64_t timeouts = 0;
  std::int64_t requested_bytes = 0;  ///< as asked, before rounding, both faces, total so far
  std::array<std::int64_t, cause_count> fallback_counts{};
  std::array<std::int64_t, cause_count> fallback_bytes{};
};

/// What passed through a heap so far; bytes but for counts. Each figure is exact, and frees never
/// run ahead of allocations, also while threads are at work.
struct heap_usage {
  std::uint64_t allocations = 0;
  std::uint64_t frees = 0;
  std::uint64_t requested = 0;
  std::uint64_t in_use = 0;  ///< now
};

}  // namespace mooring
