package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import io.mooring.catalyst.ScalaLists;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import scala.collection.AbstractIterator;

/**
 * Iceberg's own reader of the files of a scan. Made on the driver, used on executors; immutable and
 * thread-safe.
 *
 * @param readers of partitions
 * @param table a partition without tasks, which knows table and columns; null where there is none
 * @param schema the columns of the scan in their order
 */
public record IcebergReader(
    PartitionReaderFactory readers, @Nullable InputPartition table, StructType schema)
    implements Serializable {

  static IcebergReader of(IcebergScan scan) {
    Batch batch = scan.scan().toBatch();
    InputPartition[] partitions = batch.planInputPartitions();
    InputPartition table =
        partitions.length == 0 ? null : IcebergVersion.with(partitions[0], List.of());
    return new IcebergReader(batch.createReaderFactory(), table, scan.schema());
  }

  /**
   * The columns of a range of a file that a scan asks for, as batches. Closing the iterator closes
   * the file.
   *
   * @param columns by their names among those of the scan
   */
  IcebergBatches read(IcebergTask task, long start, long length, StructType columns) {
    Object part =
        LIBRARY.create(
            "org.apache.iceberg.BaseFileScanTask$SplitScanTask", start, length, task.task());
    InputPartition partition = IcebergVersion.with(known(), List.of(part));
    boolean columnar = readers.supportColumnarReads(partition);
    PartitionReader<?> reader =
        columnar ? readers.createColumnarReader(partition) : readers.createReader(partition);
    return new IcebergBatches(reader, columnar, schema, columns);
  }

  /**
   * Reads which rows of a file are deleted.
   *
   * @return their indexes in the file, ascending
   * @throws RuntimeException when that cannot be read
   */
  public long[] deletedRows(IcebergTask task) {
    Object io = IcebergVersion.io(known());
    Function<Object, Object> open =
        delete -> {
          IcebergFile file = new IcebergFile(delete);
          return LIBRARY.call(io, "newInputFile", file.location(), file.length());
        };
    Object loader = LIBRARY.create("org.apache.iceberg.data.BaseDeleteLoader", open);
    Object index = LIBRARY.call(loader, "loadPositionDeletes", task.rawDeletes(), task.location());
    LongStream.Builder rows = LongStream.builder();
    LIBRARY.get(index, "forEach", (LongConsumer) rows::add);
    return rows.build().sorted().toArray();
  }

  private InputPartition known() {
    return Objects.requireNonNull(table, "a scan without files has a file");
  }

  /**
   * Batches of some columns out of a reader of Iceberg's, which gives batches or rows. Belongs to
   * one thread; a batch is valid until the next one is asked for.
   */
  private static final class IcebergBatches extends AbstractIterator<ColumnarBatch>
      implements Closeable {
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
}
