package io.mooring.spark.plan.joins;

import io.mooring.conf.SqlEntries;
import io.mooring.scan.GpuExpectation;
import io.mooring.scan.SessionConf;
import io.mooring.spark.plan.StageConf;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * What a session has set about joins without an exchange.
 *
 * @param isOn whether there are any
 * @param weighsCosts whether they have to cost less than exchanges
 * @param groups whether build sides may be grouped on the GPU
 * @param maxBuildSize bytes that the build sides of a stage may take together
 * @param executors that would each read a build side
 */
record ReplicatedJoinConf(
    boolean isOn, boolean weighsCosts, boolean groups, long maxBuildSize, long executors) {
  // One task makes the table on the heap while those that need it wait.
  private static final int HEAP_PART = 10;
  private static final int MIB_SHIFT = 20;

  /** As they are when a query is planned. */
  static ReplicatedJoinConf of(SparkSession session) {
    String mode = SessionConf.get(session, SqlEntries.REPLICATED_JOINS);
    GpuExpectation gpu = new GpuExpectation(session);
    boolean on =
        SessionConf.get(session, SqlEntries.ENABLED)
            && (mode.equals("always") || (mode.equals("auto") && gpu.expected()));
    long most = SessionConf.get(session, SqlEntries.REPLICATED_JOINS_MAX_BUILD_SIZE);
    boolean safe = mode.equals("always") || gpu.certain();
    return new ReplicatedJoinConf(
        on,
        !mode.equals("always"),
        StageConf.on(session),
        safe ? most : Math.min(most, mostOnHeap(session.sparkContext().conf())),
        on ? executors(session.sparkContext()) : 1);
  }

  /** What an executor builds in little time also where it turns out to have no GPU. */
  static long mostOnHeap(SparkConf conf) {
    return (conf.getSizeAsMb("spark.executor.memory", "1g") << MIB_SHIFT) / HEAP_PART;
  }

  /** Those that are there, or that the application has asked for and may still come. */
  private static long executors(SparkContext context) {
    if (context.isLocal()) {
      return 1;
    }
    // The driver is in the list.
    long registered = context.getExecutorMemoryStatus().size() - 1L;
    long asked =
        Math.max(
            context.conf().getInt("spark.executor.instances", 1),
            context.conf().getInt("spark.dynamicAllocation.minExecutors", 1));
    return Math.max(registered, asked);
  }
}
