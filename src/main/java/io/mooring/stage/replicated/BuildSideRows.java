package io.mooring.stage.replicated;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongSupplier;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The rows of all partitions of a build side's RDD, in one task. A row is valid until the next one.
 * Belongs to the thread of the task.
 */
final class BuildSideRows implements Iterator<InternalRow> {
  private static final int ROWS_BETWEEN_LOOKS = 0x3ff;

  private final RDD<InternalRow> rdd;
  private final Partition[] partitions;
  private final TaskContext task;
  private final LongSupplier most;
  private long mostBytes;
  private scala.collection.Iterator<InternalRow> current =
      scala.collection.Iterator$.MODULE$.empty();
  private int next;
  private long count;
  private long bytes;

  /**
   * @param most bytes of all rows; asked for at the first row, when the build sides below are there
   */
  BuildSideRows(RDD<InternalRow> rdd, Partition[] partitions, TaskContext task, LongSupplier most) {
    this.rdd = rdd;
    this.partitions = partitions;
    this.task = task;
    this.most = most;
  }

  @Override
  public boolean hasNext() {
    while (!current.hasNext()) {
      if (next == partitions.length) {
        return false;
      }
      task.killTaskIfInterrupted();
      current = rdd.iterator(partitions[next++], task);
    }
    return true;
  }

  /**
   * @throws BuildTooLargeException when the rows become too many
   */
  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    InternalRow row = current.next();
    if ((++count & ROWS_BETWEEN_LOOKS) == 0) {
      task.killTaskIfInterrupted();
    } else if (count == 1) {
      mostBytes = most.getAsLong();
    }
    bytes += ((UnsafeRow) row).getSizeInBytes();
    if (bytes > mostBytes) {
      throw new BuildTooLargeException(bytes);
    }
    return row;
  }

  /** The number of rows so far. */
  long count() {
    return count;
  }

  /** The bytes of the rows so far. */
  long bytes() {
    return bytes;
  }
}
