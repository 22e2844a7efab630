package io.mooring.columnar;

import ai.rapids.cudf.Table;
import io.mooring.columnar.DownloadLayout.Part;
import io.mooring.columnar.DownloadLayout.PlacedColumn;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Copies a device table into one host buffer, each part where a Spark column will read it. Runs on
 * the per-thread stream of the calling thread.
 */
public final class TableDownload {

  private TableDownload() {}

  /** The columns of a download, and the bytes that crossed the link. */
  public record Result(List<ColumnVector> columns, long bytes) {}

  /**
   * Copies {@code table} and returns when the copy is complete.
   *
   * @param shapes of its columns, in order
   * @throws IllegalStateException when the table has other columns, or strings too long for one
   *     buffer of 32-bit offsets
   * @return columns that the caller closes; they share the buffer
   */
  public static Result download(Table table, List<ColumnShape> shapes) {
    if (table.getNumberOfColumns() != shapes.size()) {
      throw new IllegalStateException(
          shapes.size() + " columns were asked for, decoded were " + table.getNumberOfColumns());
    }
    DownloadLayout places = new DownloadLayout();
    List<PlacedColumn> placed = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      placed.add(places.place(table.getColumn(i), shapes.get(i)));
    }
    HostBuffer host = HostMemory.allocate(Math.max(places.bytes(), DownloadLayout.ALIGNMENT));
    SharedBuffer shared = new SharedBuffer(host);
    try {
      copy(places.parts(), host.address());
      List<ColumnVector> columns = new ArrayList<>();
      for (int i = 0; i < placed.size(); i++) {
        columns.add(HostColumns.of(shapes.get(i), shared, placed.get(i)));
      }
      return new Result(columns, places.bytes());
    } finally {
      shared.release();
    }
  }

  /**
   * Has the memory of downloaded columns freed once nobody can reach them: for batches that another
   * thread reads. They may be closed, too.
   */
  public static void freeWhenUnreachable(ColumnarBatch batch) {
    for (int i = 0; i < batch.numCols(); i++) {
      freeWhenUnreachable(batch.column(i));
    }
  }

  private static void freeWhenUnreachable(ColumnVector column) {
    if (column instanceof HostColumn host) {
      host.freeWhenUnreachable();
    } else if (column instanceof RowMappedColumnVector mapped) {
      freeWhenUnreachable(mapped.source());
    }
  }

  private static void copy(List<Part> parts, long base) {
    try {
      TransferJni.copyManyAsync(
          parts.stream().mapToLong(part -> base + part.offset()).toArray(),
          parts.stream().mapToLong(Part::source).toArray(),
          parts.stream().mapToLong(Part::length).toArray(),
          TransferJni.DEVICE_TO_HOST,
          TransferJni.PER_THREAD_STREAM);
    } finally {
      // After a failure too: the buffer must not go back while the first copies are in flight.
      TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
    }
  }
}
