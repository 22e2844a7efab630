package io.mooring.report;

import io.mooring.metrics.FileFallback;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * An executor's account of itself: a message to the driver, then an event for the event log, which
 * holds it by this class's name and the names of its parts. Immutable.
 *
 * @param time milliseconds since 1970
 * @param device the GPU; empty when none is used
 * @param problem why none is used; empty when one is
 * @param start nanoseconds until the GPU was up
 * @param files what fell back since the report before
 */
public record ExecutorReport(
    String executor,
    long time,
    String device,
    String problem,
    long start,
    PoolSnapshot pool,
    List<FileFallback> files)
    implements SparkListenerEvent, Serializable {

  /** Whether it tells the same as an earlier one, apart from the time. */
  public boolean repeats(ExecutorReport earlier) {
    return files.isEmpty()
        && pool.equals(earlier.pool)
        && device.equals(earlier.device)
        && problem.equals(earlier.problem);
  }
}
