package io.mooring.columnar;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/** Booleans (a byte each), integers, floats, dates and timestamps. */
final class FixedWidthColumn extends HostColumn {
  private final long data;

  FixedWidthColumn(DataType type, SharedBuffer buffer, ColumnLayout layout) {
    super(type, buffer, layout);
    this.data = layout.dataAddress();
  }

  @Override
  public boolean getBoolean(int row) {
    return Platform.getByte(null, data + row) != 0;
  }

  @Override
  public byte getByte(int row) {
    return Platform.getByte(null, data + row);
  }

  @Override
  public short getShort(int row) {
    return Platform.getShort(null, data + 2L * row);
  }

  @Override
  public int getInt(int row) {
    return Platform.getInt(null, data + 4L * row);
  }

  @Override
  public long getLong(int row) {
    return Platform.getLong(null, data + 8L * row);
  }

  @Override
  public float getFloat(int row) {
    return Platform.getFloat(null, data + 4L * row);
  }

  @Override
  public double getDouble(int row) {
    return Platform.getDouble(null, data + 8L * row);
  }
}
