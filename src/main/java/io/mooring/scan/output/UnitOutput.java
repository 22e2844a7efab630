package io.mooring.scan.output;

import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.split.FileSplit;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** What a task makes of the units that it decodes. Belongs to the thread of its task. */
public interface UnitOutput extends AutoCloseable {
  /** A batch and the split that its rows are of. */
  record FileBatch(FileSplit split, ColumnarBatch batch) {}

  /** The batches of a decoded unit, or of a chunk of one, which the caller closes. */
  List<FileBatch> ofDevice(DecodedUnit unit);

  /** The batches of a unit leave: nothing of it can fail any more. */
  default void give(List<FileBatch> unit) {}

  /** A unit came through, whatever was made of it. */
  default void done(ScanUnit unit) {}

  /** A unit of which some chunks may have been decoded has failed: they count for nothing. */
  default void drop() {}

  /** Whether something of units that came through waits on the device. */
  default boolean holds() {
    return false;
  }

  /**
   * Merges what is held, or gives some of it.
   *
   * @param atEnd whether no unit follows: then everything is given
   */
  default List<FileBatch> settle(boolean atEnd) {
    return List.of();
  }

  /** Drops what is held, and returns the splits that it was made of, which are to be read again. */
  default List<FileSplit> abandon() {
    return List.of();
  }

  /** The task needs it no more; nothing is held. */
  @Override
  default void close() {}
}
