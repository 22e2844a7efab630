package io.mooring.columnar;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.BufferType;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.jspecify.annotations.Nullable;

/**
 * Copies a device table into one host buffer, each part where a Spark column will read it. Runs on
 * the per-thread stream of the calling thread.
 */
public final class TableDownload {
  private static final int DEVICE_TO_HOST = 2;
  private static final long PER_THREAD_STREAM = 2;
  // A cache line, so that no two parts share one.
  private static final long ALIGNMENT = 64;

  private final Table table;
  private final List<DataType> types;
  private final List<Part> parts = new ArrayList<>();
  private long bytes;

  private record Part(long source, long offset, long length) {}

  private record Placed(long data, long validity, long offsets) {}

  private TableDownload(Table table, List<DataType> types) {
    this.table = table;
    this.types = types;
  }

  /** What a download gives: the columns, and the bytes that crossed the link. */
  public record Result(List<org.apache.spark.sql.vectorized.ColumnVector> columns, long bytes) {}

  /**
   * Copies {@code table} and returns when the copy is complete.
   *
   * @param types Spark types of its columns, in order
   * @throws IllegalStateException when the table has other columns, or strings too long for one
   *     buffer of 32-bit offsets
   * @return columns that the caller closes; they share the buffer
   */
  public static Result download(Table table, List<DataType> types) {
    return new TableDownload(table, types).run();
  }

  private Result run() {
    if (table.getNumberOfColumns() != types.size()) {
      throw new IllegalStateException(
          types.size() + " columns were asked for, decoded were " + table.getNumberOfColumns());
    }
    List<Placed> placed = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      DecodedType.check(table.getColumn(i), types.get(i));
      placed.add(place(table.getColumn(i)));
    }
    HostBuffer host = HostMemory.allocate(Math.max(bytes, ALIGNMENT));
    SharedBuffer shared = new SharedBuffer(host);
    try {
      copy(host.address());
      List<org.apache.spark.sql.vectorized.ColumnVector> columns = new ArrayList<>();
      for (int i = 0; i < placed.size(); i++) {
        columns.add(column(types.get(i), table.getColumn(i), shared, placed.get(i)));
      }
      return new Result(columns, bytes);
    } finally {
      shared.release();
    }
  }

  private Placed place(ColumnVector column) {
    boolean nullable = column.getNullCount() > 0;
    return new Placed(
        part(column.getDeviceBufferFor(BufferType.DATA)),
        nullable ? part(column.getDeviceBufferFor(BufferType.VALIDITY)) : -1,
        part(column.getDeviceBufferFor(BufferType.OFFSET)));
  }

  /** Reserves room for a device buffer: its offset in the host buffer, -1 when there is none. */
  private long part(@Nullable BaseDeviceMemoryBuffer device) {
    if (device == null || device.getLength() == 0) {
      return -1;
    }
    long offset = bytes;
    parts.add(new Part(device.getAddress(), offset, device.getLength()));
    bytes += (device.getLength() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return offset;
  }

  private void copy(long base) {
    try {
      TransferJni.copyManyAsync(
          parts.stream().mapToLong(part -> base + part.offset()).toArray(),
          parts.stream().mapToLong(Part::source).toArray(),
          parts.stream().mapToLong(Part::length).toArray(),
          DEVICE_TO_HOST,
          PER_THREAD_STREAM);
    } finally {
      // After a failure too: the buffer must not go back while the first copies are in flight.
      TransferJni.syncStream(PER_THREAD_STREAM);
    }
  }

  private static HostColumn column(
      DataType type, ColumnVector device, SharedBuffer buffer, Placed placed) {
    ColumnLayout layout =
        new ColumnLayout(
            address(buffer, placed.data()),
            address(buffer, placed.validity()),
            address(buffer, placed.offsets()),
            (int) device.getNullCount());
    if (type instanceof DecimalType decimal) {
      return new DecimalColumn(decimal, buffer, layout, device.getType().getSizeInBytes());
    } else if (type instanceof StringType || type instanceof BinaryType) {
      return new StringColumn(type, buffer, layout);
    }
    return new FixedWidthColumn(type, buffer, layout);
  }

  private static long address(SharedBuffer buffer, long offset) {
    return offset < 0 ? 0 : buffer.address() + offset;
  }
}
