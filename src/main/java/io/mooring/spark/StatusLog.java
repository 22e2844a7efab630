package io.mooring.spark;

import io.mooring.conf.MooringConf;
import io.mooring.conf.MooringVersion;
import io.mooring.conf.SqlEntries;
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
 * The lines by which a driver tells whether Mooring is on, and its advice at the end. At WARN,
 * which is all that Spark's shells show, by a logger of their own, which alone can be silenced: the
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

  /** Tells what is known before executors have reported. */
  void atStart() {
    if (!conf.get(MooringConf.ENABLED)) {
      LOG.warn("Mooring {} is off: {} is false", MooringVersion.get(), MooringConf.ENABLED.key());
    } else if (!MooringExecutorPlugin.reports(conf)) {
      LOG.warn(
          "Mooring {} is started; whether it is on, only the logs of executors tell, because {} is"
              + " 0",
          MooringVersion.get(),
          MooringConf.UI_REPORT_INTERVAL.key());
    }
  }

  /** Tells of the first executor that uses a GPU, and once of each reason why one does not. */
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
    return pool.target() == 0
        ? "no pinned pool"
        : "pinned pool of " + MetricUnit.BYTES.show(pool.target());
  }

  /** Tells what is to be learnt from the last report of each executor. */
  void advise(Collection<ExecutorReport> last) {
    boolean withoutGpu = !last.isEmpty() && last.stream().allMatch(it -> it.device().isEmpty());
    if (withoutGpu) {
      // The start has told so, and why.
      LOG.info("Mooring's advice: {}", PoolAdvice.of(last));
    } else {
      LOG.warn("Mooring's advice: {}", PoolAdvice.of(last));
    }
  }
}
