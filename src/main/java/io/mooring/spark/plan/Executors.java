package io.mooring.spark.plan;

import org.apache.spark.SparkContext;

/** The executors of an application, as far as the driver knows when it plans. */
public final class Executors {
  private Executors() {}

  /** The executors that have registered, or that the application asked for and may still get. */
  public static long count(SparkContext context) {
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
