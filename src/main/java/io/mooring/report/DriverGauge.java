package io.mooring.report;

import io.mooring.metrics.MetricUnit;
import java.util.function.ToLongFunction;

/** Sums over what executors have last reported, as gauges of the driver's metrics. */
public enum DriverGauge {
  EXECUTORS("executors.reporting", MetricUnit.COUNT, "Executors that have reported.", pool -> 1),
  WITHOUT_GPU(
      "executors.withoutGpu", MetricUnit.COUNT, "Of these, those that use no GPU.", pool -> 1),
  CAPACITY(
      "executors.pool.capacityBytes",
      MetricUnit.BYTES,
      "Pinned memory of all executors.",
      PoolSnapshot::capacity),
  IN_USE(
      "executors.pool.bytesInUse",
      MetricUnit.BYTES,
      "What is in use of it, as of the last reports.",
      PoolSnapshot::inUse),
  HIGH_WATER_MARK(
      "executors.pool.highWaterMark",
      MetricUnit.BYTES,
      "The sum of the executors' peaks.",
      PoolSnapshot::highWaterMark),
  FALLBACK_BYTES(
      "executors.pool.fallbackBytes",
      MetricUnit.BYTES,
      "Bytes of buffers that came from pageable memory, in total so far.",
      PoolSnapshot::fallbackBytes);

  private final String key;
  private final MetricUnit unit;
  private final String meaning;
  private final ToLongFunction<PoolSnapshot> figure;

  DriverGauge(String key, MetricUnit unit, String meaning, ToLongFunction<PoolSnapshot> figure) {
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

  /** One executor's part of the sum. */
  public long of(PoolSnapshot pool, boolean withoutGpu) {
    return this == WITHOUT_GPU && !withoutGpu ? 0 : figure.applyAsLong(pool);
  }
}
