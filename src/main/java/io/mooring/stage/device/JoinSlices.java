package io.mooring.stage.device;

import io.mooring.scan.task.ResultTooLargeException;

/** Divides batches of which a join would make too many pairs at once. */
final class JoinSlices {
  // Bytes that the pairs of a join may take, for which no room is reserved.
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
   * Passes a batch whose pairs may be made at once.
   *
   * @param pairs the most that the batch can have
   * @param bytes of a pair
   * @throws NeededException when slices of the batch have to be joined one after the other
   * @throws ResultTooLargeException when a single row has too many pairs
   */
  static void check(long pairs, long bytes, long rows) {
    // A product of longs could overflow.
    double all = (double) pairs * bytes;
    if (pairs <= Integer.MAX_VALUE && all <= MOST_BYTES) {
      return;
    } else if (rows <= 1) {
      throw new ResultTooLargeException("a join makes too many rows of a single row");
    }
    throw new NeededException((int) Math.max(2, Math.min(rows, Math.ceil(all / SLICE_BYTES))));
  }
}
