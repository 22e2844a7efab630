package io.mooring.report;

import io.mooring.metrics.FileFallbacks.FileFallback;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A report of an executor on its GPU and pool: a message to the driver, then an event of the event
 * log, which holds it under this class's name and the names of its components. Immutable.
 *
 * @param time milliseconds since 1970
 * @param device the GPU's name, also when it was lost; empty when none has come up
 * @param problem why no GPU is used; empty when one is
 * @param deviceBytes device memory that scans may use, of the GPU that has least; 0 without one
 * @param gpuStartNanos from the start of the plugin until the GPU was up; 0 before that
 * @param files what fell back since the last report
 */
public record ExecutorReport(
    String executor,
    long time,
    String device,
    String problem,
    long deviceBytes,
    long gpuStartNanos,
    PoolSnapshot pool,
    List<FileFallback> files)
    implements SparkListenerEvent, Serializable {

  /** Whether it says the same as an earlier one, apart from the time. */
  public boolean repeats(ExecutorReport earlier) {
    return files.isEmpty()
        && pool.equals(earlier.pool)
        && device.equals(earlier.device)
        && problem.equals(earlier.problem)
        && deviceBytes == earlier.deviceBytes;
  }

  /** Whether the executor has a GPU that it still uses. */
  boolean usesGpu() {
    return !device.isEmpty() && problem.isEmpty();
  }
}
