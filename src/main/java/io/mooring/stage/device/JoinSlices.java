package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.scan.task.ResultTooLargeException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;

/** Divides batches of which a join would make too many pairs at once. */
final class JoinSlices {
  // What the pairs of a join may take; room for that much is not asked for.
  private static final long MOST_BYTES = 1L << 30;
  // Rows have different numbers of pairs: most slices need not be divided again.
  private static final long SLICE_BYTES = MOST_BYTES / 2;

  private JoinSlices() {}

  /** Thrown when a join has to take a batch in so many slices, at least two. */
  static final class NeededException extends RuntimeException {
    private final int count;

    NeededException(int count) {
      super("a join takes a batch in " + count + " slices");
      this.count = count;
    }

    int count() {
      return count;
    }
  }

  /**
   * Does nothing where the pairs of a batch may be made at once.
   *
   * @param pairs the most that there are of all rows of the batch
   * @param bytes what each takes
   * @throws NeededException when slices of the batch have to be joined one after the other
   * @throws ResultTooLargeException when a single row has too many pairs
   */
  static void check(long pairs, long bytes, long rows) {
    // Not as a product of longs, which may overflow.
    double all = (double) pairs * bytes;
    if (pairs <= Integer.MAX_VALUE && all <= MOST_BYTES) {
      return;
    } else if (rows <= 1) {
      throw new ResultTooLargeException("a join makes too many rows of one");
    }
    throw new NeededException((int) Math.max(2, Math.min(rows, Math.ceil(all / SLICE_BYTES))));
  }

  /**
   * Gives slices of a batch, which the user closes, one after the other; the batch stays the
   * caller's.
   */
  static void forEach(DeviceBatch rows, int count, Consumer<DeviceBatch> use) {
    for (int i = 0; i < count; i++) {
      // Many pairs take long.
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      use.accept(slice(rows, start(rows.rows(), count, i), start(rows.rows(), count, i + 1)));
    }
  }

  /** The first row of a slice; of the one behind the last, the number of rows. */
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
