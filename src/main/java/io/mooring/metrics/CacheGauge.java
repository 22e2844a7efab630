package io.mooring.metrics;

import static io.mooring.metrics.MetricInfo.bytes;

import io.mooring.cache.CacheStats;
import io.mooring.cache.CacheStats.CacheStat;

/** The cache's statistics as gauges of an executor's metrics, beside what its scans count. */
public enum CacheGauge {
  BYTES(
      bytes("cache.bytes", "Column chunks that the pool holds for later scans."), CacheStat.BYTES),
  REPLACED_BYTES(
      bytes("cache.replacedBytes", "Evicted because other column chunks had been used later."),
      CacheStat.REPLACED_BYTES),
  CHANGED_BYTES(
      bytes("cache.changedBytes", "Evicted because their file was written again."),
      CacheStat.CHANGED_BYTES),
  ENOUGH_BYTES(
      bytes(
          "cache.enoughBytes",
          "The size of a cache that would have served every column chunk which was read again; 0"
              + " where the size is enough."),
      CacheStat.ENOUGH_BYTES);

  private final MetricInfo info;
  private final CacheStat stat;

  CacheGauge(MetricInfo info, CacheStat stat) {
    this.info = info;
    this.stat = stat;
  }

  public MetricInfo info() {
    return info;
  }

  long of(CacheStats stats) {
    return stat.of(stats);
  }
}
