package io.mooring.stage.task;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.scan.prune.KeyRanges;
import io.mooring.scan.task.ResultTooLargeException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a stage, applied to rows on the device. Uses the per-thread stream of the
 * calling thread; every batch that comes out is the caller's to close. Belongs to one task.
 */
public interface StageOperators extends AutoCloseable {
  /**
   * Makes, or waits for, what operators share with those of other tasks. Optional: {@link #apply}
   * does it where it was not done.
   */
  default void prepare() {}

  /**
   * Whether a failure of {@link #prepare} is an error of the query: Spark raises it, whatever rows
   * reach the operators.
   */
  default boolean isErrorOfQuery(Throwable failure) {
    return false;
  }

  /**
   * Ranges of join keys, by the ordinal of the scanned column. No row with a value outside of its
   * column's ranges leaves the stage. Makes, or waits for, build sides as {@link #prepare} does.
   */
  default Map<Integer, KeyRanges> keyRanges() {
    return Map.of();
  }

  /**
   * Whether no row leaves the stage, whatever the scan has, because a build side is empty; false
   * where that is not known before {@link #prepare}.
   */
  default boolean giveNothing() {
    return false;
  }

  /**
   * Applies the operators to rows; null when no row results. The input stays the caller's.
   *
   * @throws io.mooring.expr.device.SparkFallbackException when Spark has to compute them
   * @throws ResultTooLargeException when they have to be computed in parts
   */
  @Nullable DeviceBatch apply(DeviceBatch rows);

  /** The bytes on the device of build sides that nobody else uses now. */
  default long bytesOfOneUser() {
    return 0;
  }

  /** Rows out of each operator so far, bottom first, except of a grouping at the top. */
  long[] rowsOut();

  /** The most rows that operators other than joins make of one row before rows are grouped. */
  default int expansion() {
    return 1;
  }

  /** Whether results of {@link #apply} are groups, of which {@link #merged} makes fewer. */
  boolean merges();

  /**
   * One batch of several, which stay the caller's, with each group once.
   *
   * @throws io.mooring.expr.device.SparkFallbackException when Spark has to compute them
   */
  DeviceBatch merged(List<DeviceBatch> partials);

  /** Releases what is shared with other tasks. */
  @Override
  default void close() {}
}
