package io.mooring.spark.plan.joins;

import io.mooring.conf.SqlEntries;
import io.mooring.metrics.MetricUnit;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import io.mooring.spark.plan.DeviceBudget;
import io.mooring.spark.plan.Executors;
import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.spark.plan.StageConf;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/**
 * A session's settings on joins without an exchange. Immutable.
 *
 * @param isOn whether there are such joins
 * @param weighsCosts whether they have to cost less than exchanges
 * @param groups whether build sides may be grouped on the GPU
 * @param joinsGroups whether one task computes an aggregate, of however many groups, and joins
 *     these
 * @param budget bytes that build sides, and groups that are joined, may take
 * @param executors counts those that would each read a build side
 */
record ReplicatedJoinConf(
    boolean isOn,
    boolean weighsCosts,
    boolean groups,
    BooleanSupplier joinsGroups,
    DeviceBudget budget,
    LongSupplier executors) {
  // One task makes the table on the heap while those that need it wait.
  private static final int HEAP_PART = 10;
  private static final int MIB_SHIFT = 20;

  /** What is said of build sides that take more bytes together than they may. */
  String whyTooLarge(double bytes) {
    return String.format(
        "build sides of %s, and %s is %s",
        MetricUnit.BYTES.show((long) bytes),
        SqlEntries.REPLICATED_JOINS_MAX_BUILD_SIZE.key(),
        MetricUnit.BYTES.show(budget.tables()));
  }

  /** The settings at the time when a query is planned. */
  static ReplicatedJoinConf of(SparkSession session) {
    String mode = SessionConf.get(session, SqlEntries.REPLICATED_JOINS);
    GpuAvailability gpu = new GpuAvailability(session);
    boolean on =
        SessionConf.get(session, SqlEntries.ENABLED)
            && (mode.equals("always") || (mode.equals("auto") && gpu.expected()));
    DeviceBudget budget = DeviceBudget.of(session);
    boolean safe = mode.equals("always") || gpu.certain();
    return new ReplicatedJoinConf(
        on,
        !mode.equals("always"),
        StageConf.isOn(session),
        () -> SingleTaskConf.of(session).readsForLess(),
        safe ? budget : budget.atMost(mostOnHeap(session.sparkContext().conf())),
        Executors.counted(session.sparkContext()));
  }

  /** The bytes that an executor builds in little time even without a GPU. */
  static long mostOnHeap(SparkConf conf) {
    return (conf.getSizeAsMb("spark.executor.memory", "1g") << MIB_SHIFT) / HEAP_PART;
  }
}
