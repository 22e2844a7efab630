package io.mooring.spark.plan;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;

/** The executors of an application, as far as the driver knows when it plans. */
public final class Executors {
  private Executors() {}

  /**
   * A count that is made when it is first asked for, and only once: the driver asks its block
   * manager by a message and waits for the answer.
   */
  public static LongSupplier counted(SparkContext context) {
    AtomicLong known = new AtomicLong();
    return () -> known.updateAndGet(count -> count == 0 ? count(context) : count);
  }

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
