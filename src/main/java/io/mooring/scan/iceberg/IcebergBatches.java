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
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataType;
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
    this.places = Arrays.stream(wanted.fieldNames()).mapToInt(this::place).toArray();
    this.projection = projection();
  }

  /** Negative for a column that is null here, as nobody needs it. */
  private int place(String column) {
    boolean read = List.of(schema.fieldNames()).contains(column);
    return !read && RowLineage.INPUTS.contains(column) ? -1 : schema.fieldIndex(column);
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
    for (int i = 0; i < places.length; i++) {
      DataType type = wanted.fields()[i].dataType();
      columns.add(
          places[i] < 0 ? new Literal(null, type) : new BoundReference(places[i], type, true));
    }
    return UnsafeProjection.create(ScalaLists.seq(columns));
  }

  private ColumnarBatch chosen(ColumnarBatch all) {
    ColumnVector[] vectors = new ColumnVector[places.length];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = places[i] < 0 ? nulls(i, all.numRows()) : all.column(places[i]);
    }
    return new ColumnarBatch(vectors, all.numRows());
  }

  private ColumnVector nulls(int column, int rows) {
    ConstantColumnVector nulls = new ConstantColumnVector(rows, wanted.fields()[column].dataType());
    nulls.setNull();
    return nulls;
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
