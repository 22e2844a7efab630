package io.mooring.scan.output;

import io.mooring.scan.plan.FilePlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * What a scan gives Spark for what it has read, by whichever reader. Methods may return nothing:
 * nothing to give so far.
 */
public interface ScanOutput extends UnitOutput {
  /** For rows of a split none of whose columns is in the file. */
  @Nullable ColumnarBatch ofCount(FilePlan plan, int rows);

  /** For a batch of Spark's reader, which keeps it. */
  @Nullable ColumnarBatch ofSpark(ColumnarBatch read);

  /** When everything has been read; called until it gives nothing. */
  @Nullable ColumnarBatch atEnd();
}
