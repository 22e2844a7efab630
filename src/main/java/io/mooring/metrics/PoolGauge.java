package io.mooring.metrics;

import static io.mooring.metrics.MetricInfo.bytes;
import static io.mooring.metrics.MetricInfo.count;
import static io.mooring.metrics.MetricInfo.nanoseconds;

import io.mooring.conf.PoolEntries;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import java.util.function.ToLongFunction;

/** The pool's statistics as gauges of an executor's metrics. */
public enum PoolGauge {
  CAPACITY(
      bytes("pool.capacityBytes", "Pinned memory that is usable now."), PoolStat.CAPACITY_BYTES),
  IN_USE(
      bytes("pool.bytesInUse", "Held by scans and by libcudf, rounded up to blocks."),
      PoolStat.BYTES_IN_USE),
  CACHED(
      bytes("pool.cachedBytes", "Free blocks that threads keep for themselves."),
      PoolStat.CACHED_BYTES),
  HIGH_WATER_MARK(
      bytes("pool.highWaterMark", "Most that was taken at once so far, with what threads keep."),
      PoolStat.HIGH_WATER_MARK),
  ALLOCATIONS(
      count("pool.allocations", "Allocations that the pool served, of scans and of libcudf."),
      PoolStat.ALLOCATIONS),
  FALLBACK_COUNT(
      count("pool.fallbackCount", "Buffers of scans that came from pageable memory."),
      PoolStats::fallbackCount),
  FALLBACK_BYTES(
      bytes("pool.fallbackBytes", "Bytes of these buffers, in total so far."),
      PoolStats::fallbackBytes),
  FALLBACK_HELD(
      bytes("pool.fallbackBytesHeld", "Pageable memory held now, in use or kept for reuse."),
      PoolStat.FALLBACK_BYTES_HELD),
  WAITS(
      count(
          "pool.waitCount",
          "Buffers that waited because the pool and pageable memory were both full."),
      PoolStat.WAIT_COUNT),
  WAIT_TIME(nanoseconds("pool.waitNanos", "Time in which they waited."), PoolStat.WAIT_NANOS),
  TIMEOUTS(
      count(
          "pool.timeouts",
          "Buffers that were refused after `" + PoolEntries.WAIT_TIMEOUT.key() + "`."),
      PoolStat.TIMEOUTS),
  HOST_ALLOCATIONS(
      count(
          "pool.hostAllocCount", "libcudf's allocations beyond the pool: one cudaHostAlloc each."),
      PoolStat.HOST_ALLOC_COUNT),
  EVICTABLE(
      bytes(
          "pool.evictableBytes",
          "Held by the cache and not being uploaded: not in use, and given up for anything else."),
      PoolStat.EVICTABLE_BYTES),
  EVICTIONS(
      count("pool.evictions", "Buffers of the cache that were given up for other allocations."),
      PoolStat.EVICTIONS),
  EVICTED_BYTES(
      bytes("pool.evictedBytes", "Bytes of these buffers, in total so far."),
      PoolStat.EVICTED_BYTES),
  STARTUP(
      nanoseconds(
          "pool.startupNanos", "Time from the pool's start to its whole size; 0 while it fills."),
      PoolStat.STARTUP_NANOS);

  private final MetricInfo info;
  private final ToLongFunction<PoolStats> value;

  PoolGauge(MetricInfo info, PoolStat stat) {
    this(info, stats -> stats.get(stat));
  }

  PoolGauge(MetricInfo info, ToLongFunction<PoolStats> value) {
    this.info = info;
    this.value = value;
  }

  public MetricInfo info() {
    return info;
  }

  long of(PoolStats stats) {
    return value.applyAsLong(stats);
  }
}
