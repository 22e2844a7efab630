package io.mooring.metrics;

import io.mooring.memory.PoolStats;
import java.util.function.ToLongFunction;

/** The pool's figures as gauges of an executor's metrics. */
public enum PoolGauge {
  CAPACITY(
      "pool.capacityBytes",
      MetricUnit.BYTES,
      "Pinned memory that is usable now.",
      PoolStats::capacityBytes),
  IN_USE(
      "pool.bytesInUse",
      MetricUnit.BYTES,
      "Held by scans and by libcudf, rounded up to blocks.",
      PoolStats::bytesInUse),
  CACHED(
      "pool.cachedBytes",
      MetricUnit.BYTES,
      "Free blocks that threads keep for themselves.",
      PoolStats::cachedBytes),
  HIGH_WATER_MARK(
      "pool.highWaterMark",
      MetricUnit.BYTES,
      "Most that was taken at once so far, with what threads keep.",
      PoolStats::highWaterMark),
  ALLOCATIONS(
      "pool.allocations",
      MetricUnit.COUNT,
      "Allocations that the pool served, of scans and of libcudf.",
      PoolStats::allocations),
  FALLBACK_COUNT(
      "pool.fallbackCount",
      MetricUnit.COUNT,
      "Buffers of scans that came from pageable memory.",
      PoolStats::fallbackCount),
  FALLBACK_BYTES(
      "pool.fallbackBytes",
      MetricUnit.BYTES,
      "Their bytes, in total so far.",
      PoolStats::fallbackBytes),
  FALLBACK_HELD(
      "pool.fallbackBytesHeld",
      MetricUnit.BYTES,
      "Pageable memory held now, in use or kept for reuse.",
      PoolStats::fallbackBytesHeld),
  WAITS(
      "pool.waitCount",
      MetricUnit.COUNT,
      "Buffers that waited because the pool and pageable memory were both full.",
      PoolStats::waitCount),
  WAIT_TIME(
      "pool.waitNanos", MetricUnit.NANOSECONDS, "How long they waited.", PoolStats::waitNanos),
  TIMEOUTS(
      "pool.timeouts",
      MetricUnit.COUNT,
      "Buffers that were refused after `spark.mooring.pinnedPool.waitTimeout`.",
      PoolStats::timeouts),
  HOST_ALLOCATIONS(
      "pool.hostAllocCount",
      MetricUnit.COUNT,
      "libcudf's allocations beyond the pool: one cudaHostAlloc each.",
      PoolStats::hostAllocCount),
  STARTUP(
      "pool.startupNanos",
      MetricUnit.NANOSECONDS,
      "From the pool's start to its whole size; 0 while it fills.",
      PoolStats::startupNanos);

  private final String key;
  private final MetricUnit unit;
  private final String meaning;
  private final ToLongFunction<PoolStats> figure;

  PoolGauge(String key, MetricUnit unit, String meaning, ToLongFunction<PoolStats> figure) {
    this.key = key;
    this.unit = unit;
    this.meaning = meaning;
    this.figure = figure;
  }

  /** Its name in the registry. */
  public String key() {
    return key;
  }

  public MetricUnit unit() {
    return unit;
  }

  /** One sentence of Markdown. */
  public String meaning() {
    return meaning;
  }

  long of(PoolStats stats) {
    return figure.applyAsLong(stats);
  }
}
