package io.mooring.ui;

import io.mooring.memory.PoolStat;
import io.mooring.report.ExecutorReport;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * An executor's reports, as the UI's store keeps them. Immutable.
 *
 * @param last its last report
 * @param usage its pool over time, oldest first
 */
public record ExecutorHistory(String executor, ExecutorReport last, List<UsageSample> usage) {
  // Twice the points that a small chart can show.
  private static final int MOST_POINTS = 400;

  @KVIndex
  public String key() {
    return executor;
  }

  static ExecutorHistory of(ExecutorReport report) {
    return new ExecutorHistory(report.executor(), report, List.of(usage(report)));
  }

  /** With one more report. A long history loses every second point, but never the newest. */
  ExecutorHistory plus(ExecutorReport report) {
    List<UsageSample> samples = new ArrayList<>(usage.size() + 1);
    boolean full = usage.size() >= MOST_POINTS;
    for (int i = 0; i < usage.size(); i += full ? 2 : 1) {
      samples.add(usage.get(i));
    }
    samples.add(usage(report));
    return new ExecutorHistory(executor, report, samples);
  }

  private static UsageSample usage(ExecutorReport report) {
    return new UsageSample(
        report.time(),
        report.pool().get(PoolStat.CAPACITY_BYTES),
        report.pool().get(PoolStat.BYTES_IN_USE),
        report.pool().get(PoolStat.HIGH_WATER_MARK));
  }

  /** A pool at one moment: milliseconds since 1970, and bytes. Immutable. */
  public record UsageSample(long time, long capacity, long inUse, long highWaterMark) {}
}
