package io.mooring.scan.iceberg;

import io.mooring.catalyst.ScalaLists;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
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
  private final StructType wanted;
  private final int[] places;
  private final UnsafeProjection projection;
  private @Nullable ColumnarBatch next;
  private boolean over;

  /**
   * @param schema the columns that the reader gives
   * @param wanted those that are returned, in their order
   */
  IcebergBatches(
      PartitionReader<?> reader, boolean columnar, StructType schema, StructType wanted) {
    this.reader = reader;
    this.columnar = columnar;
    this.schema = schema;
    this.wanted = wanted;
    this.places = Arrays.stream(wanted.fieldNames()).mapToInt(schema::fieldIndex).toArray();
    this.projection = projection();
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
    OnHeapColumnVector[] vectors = OnHeapColumnVector.allocateColumns(ROWS, wanted);
    RowToColumnConverter converter = new RowToColumnConverter(wanted);
    int rows = 0;
    while (rows < ROWS && reader.next()) {
      // Behind the columns there may be others, by which Iceberg finds deleted rows.
      converter.convert(projection.apply((InternalRow) reader.get()), vectors);
      rows++;
    }
    return rows == 0 ? null : new ColumnarBatch(vectors, rows);
  }

  private UnsafeProjection projection() {
    List<Expression> columns = new ArrayList<>();
    for (int place : places) {
      columns.add(new BoundReference(place, schema.fields()[place].dataType(), true));
    }
    return UnsafeProjection.create(ScalaLists.seq(columns));
  }

  private ColumnarBatch chosen(ColumnarBatch all) {
    ColumnVector[] vectors =
        Arrays.stream(places).mapToObj(all::column).toArray(ColumnVector[]::new);
    return new ColumnarBatch(vectors, all.numRows());
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The file has no batch left");
    }
    ColumnarBatch batch = Objects.requireNonNull(next);
    next = null;
    return batch;
  }

  @Override
  public void close() throws IOException {
    over = true;
    next = null;
    reader.close();
  }
}
