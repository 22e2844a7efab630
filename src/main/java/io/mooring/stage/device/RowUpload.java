package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.stage.program.StageProgram;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** Copies rows of Spark's to the device. Belongs to one thread. */
public final class RowUpload implements AutoCloseable {
  private static final long STEP_BYTES = 16L << 20;

  private final List<Column> columns = new ArrayList<>();
  private final LongConsumer room;
  private long rows;
  private long bytes;

  private RowUpload(List<DataType> types, LongConsumer room) {
    this.room = room;
    for (int i = 0; i < types.size(); i++) {
      columns.add(new Column(i, types.get(i)));
    }
  }

  /**
   * The rows of a hashed relation; the caller closes them.
   *
   * @param room asked for while rows are read, so that no more rows are read than fit
   */
  static DeviceBatch uploaded(HashedRelation relation, List<DataType> types, LongConsumer room) {
    try (RowUpload rows = new RowUpload(types, room)) {
      HashedRelationRows.forEach(relation, rows::append);
      room.accept(rows.bytes);
      return new DeviceBatch(
          DeviceBatches.of(rows.columns, it -> it.onDevice(rows.rows)), rows.rows);
    }
  }

  /** Copies rows that are each valid until the next one, without reserving room for them. */
  public static DeviceBatch uploaded(Iterator<InternalRow> source, List<DataType> types) {
    try (RowUpload rows = new RowUpload(types, bytes -> {})) {
      source.forEachRemaining(rows::append);
      return new DeviceBatch(
          DeviceBatches.of(rows.columns, it -> it.onDevice(rows.rows)), rows.rows);
    }
  }

  /** The group that a program without rows makes, which has no keys. */
  public static DeviceBatch groupOfNothing(StageProgram program) {
    return uploaded(List.<InternalRow>of(program.groupOfNothing()).iterator(), program.output());
  }

  private void append(InternalRow row) {
    for (Column column : columns) {
      bytes += column.append(row);
    }
    rows++;
    if (bytes >= STEP_BYTES) {
      room.accept(bytes);
      bytes = 0;
    }
  }

  @Override
  public void close() {
    columns.forEach(Column::close);
  }

  /** The values of one column. */
  private static final class Column implements AutoCloseable {
    private static final int FIRST_ROWS = 1024;
    private static final int OFFSET_BYTES = 4;

    private final int ordinal;
    private final DataType type;
    private final DType deviceType;
    private final HostColumnVector.ColumnBuilder values;
    private long textBytes;

    /**
     * @param ordinal of the column in the rows
     */
    Column(int ordinal, DataType type) {
      this.ordinal = ordinal;
      this.type = type;
      this.deviceType = CudfTypes.of(type);
      this.values =
          new HostColumnVector.ColumnBuilder(
              new HostColumnVector.BasicType(true, deviceType), FIRST_ROWS);
    }

    /** Adds the value of a row; returns about how many bytes it takes on the device. */
    long append(InternalRow row) {
      if (row.isNullAt(ordinal)) {
        values.appendNull();
        return size();
      }
      switch (deviceType.getTypeId()) {
        case BOOL8 -> values.append(row.getBoolean(ordinal));
        case INT8 -> values.append(row.getByte(ordinal));
        case INT16 -> values.append(row.getShort(ordinal));
        case INT32, TIMESTAMP_DAYS -> values.append(row.getInt(ordinal));
        case INT64, TIMESTAMP_MICROSECONDS -> values.append(row.getLong(ordinal));
        case FLOAT32 -> values.append(row.getFloat(ordinal));
        case FLOAT64 -> values.append(row.getDouble(ordinal));
        case STRING -> {
          return append(row.getBinary(ordinal));
        }
        default -> append((DecimalType) type, row);
      }
      return size();
    }

    private long append(byte[] bytes) {
      textBytes += bytes.length;
      if (textBytes > Integer.MAX_VALUE) {
        // cudf's offsets have 32 bits.
        throw new SparkFallbackException("a column of a join's build side has more than 2 GiB");
      }
      values.appendUTF8String(bytes);
      return size() + bytes.length;
    }

    private void append(DecimalType decimal, InternalRow row) {
      Decimal value = row.getDecimal(ordinal, decimal.precision(), decimal.scale());
      switch (deviceType.getTypeId()) {
        case DECIMAL32 -> values.append((int) value.toUnscaledLong());
        case DECIMAL64 -> values.append(value.toUnscaledLong());
        default -> values.append(value.toJavaBigDecimal().unscaledValue());
      }
    }

    private long size() {
      return deviceType.equals(DType.STRING) ? OFFSET_BYTES : deviceType.getSizeInBytes();
    }

    /**
     * The values on the device; the caller closes them.
     *
     * @param rows their number
     */
    ColumnVector onDevice(long rows) {
      return rows == 0 ? DeviceBatches.nulls(deviceType, 0) : values.buildAndPutOnDevice();
    }

    @Override
    public void close() {
      values.close();
    }
  }
}
