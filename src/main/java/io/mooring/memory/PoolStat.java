package io.mooring.memory;

/**
 * One number that the pool keeps about itself: bytes, nanoseconds, or a count since its start.
 * Names and order are those of {@code pool_stat} in pool.hpp; PoolStatTest compares them.
 */
public enum PoolStat {
  /** Ordinal of the {@link PoolState}. */
  STATE,
  /** The NUMA node of the memory; -1 where there is only one or it is unknown, -2 for several. */
  NUMA_NODE,
  /** Bytes that were asked for at the start. */
  TARGET_BYTES,
  /** Bytes that the pool may grow to. */
  MAX_BYTES,
  /** Bytes that are usable now: registered with the CUDA driver so far. */
  CAPACITY_BYTES,
  /** Held by callers, rounded up to blocks. */
  BYTES_IN_USE,
  /** Free blocks in the caches of threads. */
  CACHED_BYTES,
  /** Large blocks that libcudf has freed, and that wait for the work on their stream to end. */
  DEFERRED_BYTES,
  /** Pages taken, by callers or by caches. */
  PAGE_BYTES_IN_USE,
  /** Most page bytes in use so far: the size that would have been enough. */
  HIGH_WATER_MARK,
  /** The longest buffer that could be had at once; libcudf can have one extent at most. */
  LARGEST_FREE_RUN,
  /** Allocations that the pool served, of Java buffers and of libcudf. */
  ALLOCATIONS,
  FREES,
  /** libcudf's allocations beyond the pool: one cudaHostAlloc each. */
  HOST_ALLOC_COUNT,
  /** Blocks that cannot be used again because their stream could not be marked. */
  LEAKED_BLOCKS,
  /** From start to the whole size; 0 while the pool fills. */
  STARTUP_NANOS,
  /** From start to the first usable byte. */
  FIRST_EXTENT_NANOS,
  /** Pageable bytes, in use or kept for reuse. */
  FALLBACK_BYTES_HELD,
  /** Most pageable bytes that may be held. */
  FALLBACK_LIMIT,
  /** Buffers that waited because the pool and pageable memory were both full. */
  WAIT_COUNT,
  WAIT_NANOS,
  /** Waits that ended without a buffer. */
  TIMEOUTS,
  /** Bytes that callers asked for in total, before rounding. */
  REQUESTED_BYTES,
  /** Held by evictable buffers that nobody reads: not in use, and given up for any allocation. */
  EVICTABLE_BYTES,
  /** Evictable buffers that were given up for other allocations. */
  EVICTIONS,
  /** Bytes of these, in total so far. */
  EVICTED_BYTES
}
