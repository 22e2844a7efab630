package io.mooring.scan.output;

import io.mooring.scan.plan.FilePlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Makes the batches that a scan gives to Spark, from units of the GPU or batches of Spark's reader.
 * The methods here return null while there is no batch to give.
 */
public interface ScanOutput extends UnitOutput {
  /** The batch for rows of a split, when no column of the scan is in the file. */
  @Nullable ColumnarBatch ofCount(FilePlan plan, int rows);

  /** The batch to give for a batch of Spark's reader, which keeps its own. */
  @Nullable ColumnarBatch ofSpark(ColumnarBatch read);

  /** The next batch after everything has been read; called until it returns null. */
  @Nullable ColumnarBatch atEnd();
}
