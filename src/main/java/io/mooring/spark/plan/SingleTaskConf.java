package io.mooring.spark.plan;

import io.mooring.conf.SqlEntries;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * A session's settings on aggregates that one task computes. Immutable.
 *
 * @param isOn whether there are such aggregates
 * @param weighsCosts whether they have to cost less than exchanges
 * @param executors that would share the work otherwise
 * @param mostBytes that groups may take on a device, as estimated
 */
public record SingleTaskConf(boolean isOn, boolean weighsCosts, long executors, long mostBytes) {
  /**
   * The rows that one task has operators of Spark compute something of, such as a function of
   * Python or a window, which several tasks would do in less time.
   */
  public static final double MOST_ROWS_COMPUTED = 100_000;

  /** Whether one task reads all files in no more time than the executors that there are. */
  public boolean readsForLess() {
    return isOn && (!weighsCosts || executors <= 1);
  }

  /** The settings at the time when a query is planned. */
  public static SingleTaskConf of(SparkSession session) {
    String mode = SessionConf.get(session, SqlEntries.SINGLE_TASK_AGGREGATES);
    boolean on =
        SessionConf.get(session, SqlEntries.ENABLED)
            && StageConf.isOn(session)
            && (mode.equals("always")
                || (mode.equals("auto") && new GpuAvailability(session).certain()));
    return new SingleTaskConf(
        on,
        !mode.equals("always"),
        on ? executors(session.sparkContext()) : 1,
        DeviceBudget.of(session).groups());
  }

  /**
   * A task uses all idle GPUs of its process, so that only other executors could share its work.
   */
  private static long executors(SparkContext context) {
    return context.isLocal() ? 1 : Executors.count(context);
  }
}
