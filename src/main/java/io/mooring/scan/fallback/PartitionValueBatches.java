package io.mooring.scan.fallback;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The batches of a file with the values of its partition as columns behind the others. Closing it
 * closes the file. Not thread-safe.
 */
final class PartitionValueBatches extends AbstractIterator<ColumnarBatch> implements Closeable {
  private final Iterator<?> batches;
  private final StructType partition;
  private final InternalRow values;

  /**
   * @param batches of the other columns
   * @param values of the partition columns, in their order
   */
  PartitionValueBatches(Iterator<?> batches, StructType partition, InternalRow values) {
    this.batches = batches;
    this.partition = partition;
    this.values = values;
  }

  @Override
  public boolean hasNext() {
    return batches.hasNext();
  }

  @Override
  public ColumnarBatch next() {
    ColumnarBatch batch = (ColumnarBatch) batches.next();
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

  @Override
  public void close() throws IOException {
    if (batches instanceof Closeable open) {
      open.close();
    }
  }
}
