package io.mooring.spark;

import io.mooring.conf.MooringConf;
import io.mooring.conf.MooringVersion;
import io.mooring.conf.SqlEntries;
import io.mooring.memory.PoolStat;
import io.mooring.metrics.MetricUnit;
import io.mooring.report.ExecutorReport;
import io.mooring.report.PoolAdvice;
import io.mooring.report.PoolSnapshot;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines in which a driver logs whether Mooring is on, and its advice at the end. They are
 * WARNs, which is all that Spark's shells show, of a logger that can be silenced alone: the
 * plugin's class. Thread-safe.
 */
final class StatusLog {
  private static final Logger LOG = LoggerFactory.getLogger(MooringPlugin.class);
  private static final String HERE = "driver";
  // Reasons can name files: past this many the log has said enough.
  private static final int MOST_TOLD = 10;

  private final MooringConf conf;
  private final Set<String> told = new HashSet<>();

  StatusLog(MooringConf conf) {
    this.conf = conf;
  }

  /** Logs what is known before executors have reported. */
  void atStart() {
    if (!conf.get(MooringConf.ENABLED)) {
      LOG.warn("Mooring {} is off: {} is false", MooringVersion.get(), MooringConf.ENABLED.key());
    } else if (!MooringExecutorPlugin.reports(conf)) {
      LOG.warn(
          "Mooring {} is started; only the logs of executors show whether it is on, because {} is"
              + " 0",
          MooringVersion.get(),
          MooringConf.UI_REPORT_INTERVAL.key());
    }
  }

  /** Logs the first executor that uses a GPU, and once each reason why one does not. */
  synchronized void add(ExecutorReport report) {
    if (told.size() >= MOST_TOLD || !told.add(report.problem())) {
      return;
    }
    String where = report.executor().equals(HERE) ? "" : " on executor " + report.executor();
    if (report.problem().isEmpty()) {
      LOG.warn(
          "Mooring {} is on{}: {}, {}, cudf {}{}",
          MooringVersion.get(),
          where,
          report.device(),
          pool(report.pool()),
          MooringVersion.cudf(),
          conf.get(SqlEntries.ENABLED) ? "" : "; " + SqlEntries.ENABLED.key() + " is false");
    } else {
      LOG.warn(
          "Mooring {} is off{}, Spark's own reader reads Parquet: {}",
          MooringVersion.get(),
          where,
          report.problem());
    }
  }

  private static String pool(PoolSnapshot pool) {
    return pool.get(PoolStat.TARGET_BYTES) == 0
        ? "no pinned pool"
        : "pinned pool of " + MetricUnit.BYTES.show(pool.get(PoolStat.TARGET_BYTES));
  }

  /** Logs advice from the last report of each executor. */
  void advise(Collection<ExecutorReport> last) {
    boolean withoutGpu = !last.isEmpty() && last.stream().allMatch(it -> it.device().isEmpty());
    if (withoutGpu) {
      // The log has said so at the start, and why.
      LOG.info("Mooring's advice: {}", PoolAdvice.of(last));
    } else {
      LOG.warn("Mooring's advice: {}", PoolAdvice.of(last));
    }
  }
}
