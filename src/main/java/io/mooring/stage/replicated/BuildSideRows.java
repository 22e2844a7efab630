package io.mooring.stage.replicated;

import java.util.Iterator;
import java.util.NoSuchElementException;
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
  private static final long BYTES_BETWEEN_LOOKS = 1 << 20;

  /** The room for a build side's rows, which others share. */
  interface Limit {
    /** Whether so many rows of so many bytes are not too many now. */
    boolean allows(long count, long bytes);
  }

  private final RDD<InternalRow> rdd;
  private final Partition[] partitions;
  private final TaskContext task;
  private final long mostBytes;
  private final Limit limit;
  private scala.collection.Iterator<InternalRow> current =
      scala.collection.Iterator$.MODULE$.empty();
  private int next;
  private long count;
  private long bytes;
  private long looked;

  /**
   * @param mostBytes of all rows
   * @param limit asked at the first row, when the build sides below are there, and now and then
   */
  BuildSideRows(
      RDD<InternalRow> rdd, Partition[] partitions, TaskContext task, long mostBytes, Limit limit) {
    this.rdd = rdd;
    this.partitions = partitions;
    this.task = task;
    this.mostBytes = mostBytes;
    this.limit = limit;
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
   * @throws ReplicatedBroadcast.BuildTooLargeException when the rows become too many
   */
  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    InternalRow row = current.next();
    bytes += ((UnsafeRow) row).getSizeInBytes();
    if ((++count & ROWS_BETWEEN_LOOKS) == 0) {
      task.killTaskIfInterrupted();
    }
    if (bytes > mostBytes || !isAllowed()) {
      throw new ReplicatedBroadcast.BuildTooLargeException(bytes);
    }
    return row;
  }

  private boolean isAllowed() {
    if (count > 1 && bytes - looked <= BYTES_BETWEEN_LOOKS) {
      return true;
    }
    looked = bytes;
    return limit.allows(count, bytes);
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
