package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;

/** Divides batches into slices of consecutive rows. */
public final class BatchSlices {
  private BatchSlices() {}

  /**
   * Gives slices of a batch, one after the other, to a consumer that closes them. The batch stays
   * the caller's.
   */
  public static void forEach(DeviceBatch rows, int count, Consumer<DeviceBatch> use) {
    for (int i = 0; i < count; i++) {
      // What is done with them can take long, and the task may have been killed.
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      use.accept(slice(rows, start(rows.rows(), count, i), start(rows.rows(), count, i + 1)));
    }
  }

  /** The first row of a slice; the number of rows for the slice after the last. */
  static int start(long rows, int count, int slice) {
    return Math.toIntExact(rows * slice / count);
  }

  private static DeviceBatch slice(DeviceBatch rows, int from, int to) {
    return new DeviceBatch(
        DeviceBatches.of(
            IntStream.range(0, rows.width()).boxed().toList(),
            i -> rows.column(i).subVector(from, to)),
        to - from);
  }
}
