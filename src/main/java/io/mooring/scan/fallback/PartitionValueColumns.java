package io.mooring.scan.fallback;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The values of a file's partition as columns of its batches. Belongs to one thread.
 *
 * @param partition the partition columns
 * @param values their values, in the same order
 */
record PartitionValueColumns(StructType partition, InternalRow values) {
  /** A batch with these columns behind its own, which it shares with the given one. */
  ColumnarBatch behind(ColumnarBatch batch) {
    int read = batch.numCols();
    ColumnVector[] columns = new ColumnVector[read + partition.length()];
    Arrays.setAll(columns, i -> i < read ? batch.column(i) : value(i - read, batch.numRows()));
    return new ColumnarBatch(columns, batch.numRows());
  }

  private ColumnVector value(int column, int rows) {
    ConstantColumnVector value =
        new ConstantColumnVector(rows, partition.fields()[column].dataType());
    ColumnVectorUtils.populate(value, values, column);
    return value;
  }
}
