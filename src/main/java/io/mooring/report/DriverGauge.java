package io.mooring.report;

import io.mooring.memory.PoolStat;
import io.mooring.metrics.MetricInfo;
import java.util.function.ToLongFunction;

/** Sums over what executors that run have last reported, as gauges of the driver's metrics. */
public enum DriverGauge {
  EXECUTORS(
      MetricInfo.count("executors.reporting", "Executors that run and have reported."), it -> 1),
  WITHOUT_GPU(
      MetricInfo.count("executors.withoutGpu", "Those among them that use no GPU."),
      it -> it.usesGpu() ? 0 : 1),
  CAPACITY(
      MetricInfo.bytes("executors.pool.capacityBytes", "Pinned memory of these executors."),
      PoolStat.CAPACITY_BYTES),
  IN_USE(
      MetricInfo.bytes("executors.pool.bytesInUse", "Bytes of it in use, as of the last reports."),
      PoolStat.BYTES_IN_USE),
  HIGH_WATER_MARK(
      MetricInfo.bytes("executors.pool.highWaterMark", "The sum of the executors' peaks."),
      PoolStat.HIGH_WATER_MARK),
  FALLBACK_BYTES(
      MetricInfo.bytes(
          "executors.pool.fallbackBytes",
          "Bytes of buffers that came from pageable memory, in total so far."),
      it -> it.pool().fallbackBytes());

  private final MetricInfo info;
  private final ToLongFunction<ExecutorReport> value;

  DriverGauge(MetricInfo info, PoolStat stat) {
    this(info, report -> report.pool().get(stat));
  }

  DriverGauge(MetricInfo info, ToLongFunction<ExecutorReport> value) {
    this.info = info;
    this.value = value;
  }

  public MetricInfo info() {
    return info;
  }

  /** One executor's part of the sum. */
  public long of(ExecutorReport report) {
    return value.applyAsLong(report);
  }
}
