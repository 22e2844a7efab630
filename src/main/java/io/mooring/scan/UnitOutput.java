package io.mooring.scan;

import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * What a task gives Spark for what it has read. Methods may return nothing: nothing to give so far.
 * Belongs to the thread of its task.
 */
interface UnitOutput {
  /** For a decoded unit, or a chunk of one, which the caller closes. */
  List<FileBatch> ofDevice(DecodedUnit unit);

  /** The batches of a unit leave: nothing of it can fail any more. */
  default void give(List<FileBatch> unit) {}

  /** For rows of a split none of whose columns is in the file. */
  @Nullable ColumnarBatch ofCount(FilePlan plan, int rows);

  /** For a batch of Spark's reader, which keeps it. */
  @Nullable ColumnarBatch ofSpark(ColumnarBatch read);

  /** When everything has been read; called until it gives nothing. */
  @Nullable ColumnarBatch atEnd();
}
