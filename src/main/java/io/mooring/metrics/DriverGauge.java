package io.mooring.metrics;

import java.util.function.ToLongFunction;

/** Sums over what executors have last reported, as gauges of the driver's metrics. */
public enum DriverGauge {
  EXECUTORS("executors.reporting", Unit.COUNT, "Executors that have reported.", pool -> 1),
  WITHOUT_GPU("executors.withoutGpu", Unit.COUNT, "Of these, those that use no GPU.", pool -> 1),
  CAPACITY(
      "executors.pool.capacityBytes",
      Unit.BYTES,
      "Pinned memory of all executors.",
      PoolFigures::capacity),
  IN_USE(
      "executors.pool.bytesInUse",
      Unit.BYTES,
      "What is in use of it, as of the last reports.",
      PoolFigures::inUse),
  HIGH_WATER_MARK(
      "executors.pool.highWaterMark",
      Unit.BYTES,
      "The sum of the executors' peaks.",
      PoolFigures::highWaterMark),
  FALLBACK_BYTES(
      "executors.pool.fallbackBytes",
      Unit.BYTES,
      "Bytes of buffers that came from pageable memory, in total so far.",
      PoolFigures::fallbackBytes);

  private final String key;
  private final Unit unit;
  private final String meaning;
  private final ToLongFunction<PoolFigures> figure;

  DriverGauge(String key, Unit unit, String meaning, ToLongFunction<PoolFigures> figure) {
    this.key = key;
    this.unit = unit;
    this.meaning = meaning;
    this.figure = figure;
  }

  /** Its name in the registry. */
  public String key() {
    return key;
  }

  public Unit unit() {
    return unit;
  }

  /** One sentence of Markdown. */
  public String meaning() {
    return meaning;
  }

  /** One executor's part of the sum. */
  public long of(PoolFigures pool, boolean withoutGpu) {
    return this == WITHOUT_GPU && !withoutGpu ? 0 : figure.applyAsLong(pool);
  }
}
