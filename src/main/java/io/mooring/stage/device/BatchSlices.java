package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.scan.task.ResultTooLargeException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;

/**
 * Divides batches into slices of consecutive rows, where a join would make too many pairs of a
 * whole batch at once, or operators would take too much memory.
 */
public final class BatchSlices {
  // Bytes that the pairs of a join may take, for which no room is reserved.
  private static final long MOST_BYTES = 1L << 30;
  // Rows have different numbers of pairs: most slices need not be divided again.
  private static final long SLICE_BYTES = MOST_BYTES / 2;

  // Bytes that operators may take where memory is scarce: so many rows keep a GPU busy.
  private static final long OPERATOR_BYTES = 256L << 20;

  private BatchSlices() {}

  /**
   * The number of slices in which operators take a batch. Decoding it took about as much memory
   * again, for its uncompressed pages, which is free by then. Operators may take up to twice the
   * batch's size at once, because few tasks run operators at the same time.
   *
   * @param bytesOfRow bytes that the operators take for each row
   * @param share gives the device bytes that the operators may take; asked only if they need more
   *     than that
   */
  static int countOf(DeviceBatch rows, long bytesOfRow, LongSupplier share) {
    long needed = rows.rows() * bytesOfRow;
    long most = Math.max(OPERATOR_BYTES, 2 * rows.bytes());
    if (needed > most) {
      most = Math.max(most, share.getAsLong());
    }
    long count = (needed + most - 1) / most;
    return Math.toIntExact(Math.max(1, Math.min(rows.rows(), count)));
  }

  /**
   * Gives slices of a batch, one after the other, to a consumer that closes them. The batch stays
   * the caller's.
   */
  public static void forEach(DeviceBatch rows, int count, Consumer<DeviceBatch> use) {
    forEachWhile(
        rows,
        count,
        slice -> {
          use.accept(slice);
          return true;
        });
  }

  /**
   * Gives slices of a batch as {@link #forEach} does, until the consumer gives false.
   *
   * @return whether all slices were taken
   */
  static boolean forEachWhile(DeviceBatch rows, int count, Predicate<DeviceBatch> use) {
    for (int i = 0; i < count; i++) {
      // Each slice can take long, and the task may have been killed.
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      if (!use.test(slice(rows, start(rows.rows(), count, i), start(rows.rows(), count, i + 1)))) {
        return false;
      }
    }
    return true;
  }

  /** The first row of a slice; the number of rows for the slice after the last. */
  static int start(long rows, int count, int slice) {
    return Math.toIntExact(rows * slice / count);
  }

  /** A copy of some of the rows, which the caller closes. */
  static DeviceBatch slice(DeviceBatch rows, int from, int to) {
    return new DeviceBatch(
        DeviceBatches.of(
            IntStream.range(0, rows.width()).boxed().toList(),
            i -> rows.column(i).subVector(from, to)),
        to - from);
  }

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
   * Passes a batch whose pairs may be made at once.
   *
   * @param pairs the most that the batch can have
   * @param bytes of a pair
   * @throws NeededException when slices of the batch have to be joined one after the other
   * @throws ResultTooLargeException when a single row has too many pairs
   */
  static void checkPairs(long pairs, long bytes, long rows) {
    // A product of longs could overflow.
    double all = (double) pairs * bytes;
    if (pairs <= Integer.MAX_VALUE && all <= MOST_BYTES) {
      return;
    } else if (rows <= 1) {
      throw new ResultTooLargeException("a join makes too many rows from a single row");
    }
    throw new NeededException((int) Math.max(2, Math.min(rows, Math.ceil(all / SLICE_BYTES))));
  }
}
