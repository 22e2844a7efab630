package io.mooring.stage.task;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.ReadBatches;
import io.mooring.columnar.TableDownload;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.output.UnitOutput;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Rows of a device in host memory, where all of them are before the first one is given. One thread
 * at a time reads, any may close; a row is valid until the next one.
 */
public final class DownloadedRows implements Iterator<InternalRow>, AutoCloseable {
  private final ReadBatches<ColumnarBatch> batches =
      new ReadBatches<>(ColumnarBatch::close, TableDownload::freeWhenUnreachable);
  private final List<ColumnShape> shapes;
  private final UnsafeProjection projection;
  private Iterator<InternalRow> rows = Collections.emptyIterator();

  /**
   * @param types of the columns, flat ones
   */
  public DownloadedRows(List<DataType> types) {
    this.shapes = types.stream().map(ColumnShape::flat).toList();
    this.projection = UnsafeProjection.create(types.toArray(DataType[]::new));
  }

  /**
   * Copies a batch to the host, on the stream of the calling thread. Not once rows are taken.
   *
   * @param batch of less than 2 GiB, because offsets of strings have 32 bits; stays the caller's
   */
  public void add(DeviceBatch batch) {
    batches.addAll(List.of(downloaded(batch, shapes, new ScanCounters())));
  }

  /** The rows of a batch, which stays the caller's, in host memory. */
  static ColumnarBatch downloaded(
      DeviceBatch batch, List<ColumnShape> shapes, ScanCounters counters) {
    int count = (int) batch.rows();
    if (batch.width() == 0) {
      return new ColumnarBatch(new org.apache.spark.sql.vectorized.ColumnVector[0], count);
    }
    ColumnVector[] columns =
        IntStream.range(0, batch.width()).mapToObj(batch::column).toArray(ColumnVector[]::new);
    try (Table table = new Table(columns)) {
      TableDownload.Result host = UnitOutput.download(table, shapes, counters);
      return new ColumnarBatch(
          host.columns().toArray(org.apache.spark.sql.vectorized.ColumnVector[]::new), count);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when the rows are free
   */
  @Override
  public boolean hasNext() {
    if (!batches.readHere()) {
      throw new IllegalStateException("The task has ended, and its rows with it");
    }
    while (!rows.hasNext()) {
      batches.freeCurrent();
      rows = Collections.emptyIterator();
      if (batches.isEmpty()) {
        return false;
      }
      rows = batches.next().rowIterator();
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException("There are no more rows");
    }
    return projection.apply(rows.next());
  }

  @Override
  public void close() {
    batches.close();
  }
}
