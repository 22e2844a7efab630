package io.mooring.spark.plan.aggregates;

import io.mooring.conf.SqlEntries;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import io.mooring.spark.plan.Executors;
import io.mooring.spark.plan.StageConf;
import org.apache.spark.sql.SparkSession;

/**
 * A session's settings on aggregates that one task computes. Immutable.
 *
 * @param isOn whether there are such aggregates
 * @param weighsCosts whether they have to cost less than exchanges
 * @param executors that would share the work otherwise
 * @param mostBytes that groups may take on a device, as estimated
 */
record SingleTaskConf(boolean isOn, boolean weighsCosts, long executors, long mostBytes) {
  /** The settings at the time when a query is planned. */
  static SingleTaskConf of(SparkSession session) {
    String mode = SessionConf.get(session, SqlEntries.SINGLE_TASK_AGGREGATES);
    boolean on =
        SessionConf.get(session, SqlEntries.ENABLED)
            && StageConf.isOn(session)
            && (mode.equals("always")
                || (mode.equals("auto") && new GpuAvailability(session).certain()));
    return new SingleTaskConf(
        on,
        !mode.equals("always"),
        on ? Executors.count(session.sparkContext()) : 1,
        SessionConf.get(session, SqlEntries.REPLICATED_JOINS_MAX_BUILD_SIZE));
  }
}
