package io.mooring.scan.iceberg;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import scala.collection.AbstractIterator;

/**
 * Batches of some columns out of a reader of Iceberg's, which gives batches or rows. Belongs to one
 * thread; a batch is valid until the next one is asked for.
 */
final class IcebergBatches extends AbstractIterator<ColumnarBatch> implements Closeable {
  private static final int ROWS = 4096;

  private final PartitionReader<?> reader;
  private final boolean columnar;
  private final StructType schema;
  private final int[] columns;
  private @Nullable ColumnarBatch next;
  private boolean over;

  /**
   * @param schema the columns that the reader gives
   * @param wanted those that are given here, in their order
   */
  IcebergBatches(
      PartitionReader<?> reader, boolean columnar, StructType schema, StructType wanted) {
    this.reader = reader;
    this.columnar = columnar;
    this.schema = schema;
    this.columns = Arrays.stream(wanted.fieldNames()).mapToInt(schema::fieldIndex).toArray();
  }

  @Override
  public boolean hasNext() {
    if (next == null && !over) {
      try {
        next = columnar ? batch() : rows();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      over = next == null;
    }
    return next != null;
  }

  private @Nullable ColumnarBatch batch() throws IOException {
    return reader.next() ? chosen((ColumnarBatch) reader.get()) : null;
  }

  private @Nullable ColumnarBatch rows() throws IOException {
    OnHeapColumnVector[] vectors = OnHeapColumnVector.allocateColumns(ROWS, schema);
    RowToColumnConverter converter = new RowToColumnConverter(schema);
    int rows = 0;
    while (rows < ROWS && reader.next()) {
      converter.convert((InternalRow) reader.get(), vectors);
      rows++;
    }
    return rows == 0 ? null : chosen(new ColumnarBatch(vectors, rows));
  }

  private ColumnarBatch chosen(ColumnarBatch all) {
    ColumnVector[] vectors =
        Arrays.stream(columns).mapToObj(all::column).toArray(ColumnVector[]::new);
    return new ColumnarBatch(vectors, all.numRows());
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The file has no batch left");
    }
    ColumnarBatch given = next;
    next = null;
    return given;
  }

  @Override
  public void close() throws IOException {
    over = true;
    next = null;
    reader.close();
  }
}
