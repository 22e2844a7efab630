package io.mooring.columnar;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A column in libcudf's layout, which is Arrow's, read where it lies in host memory: values,
 * optional validity bits (least significant first, 1 is valid), offsets for strings, arrays and
 * maps. Several threads may read; closing gives back this column's share of the buffer.
 */
abstract class HostColumn extends ColumnVector {
  private final SharedBuffer buffer;
  private final long validityAddress;
  private final int nullCount;
  private final List<? extends ColumnVector> children;
  private boolean closed;

  HostColumn(DataType type, SharedBuffer buffer, ColumnLayout layout) {
    this(type, buffer, layout, List.of());
  }

  /** Takes over {@code children}, which are closed with this. */
  HostColumn(
      DataType type,
      SharedBuffer buffer,
      ColumnLayout layout,
      List<? extends ColumnVector> children) {
    super(type);
    this.buffer = buffer.retain();
    this.children = List.copyOf(children);
    this.validityAddress = layout.validityAddress();
    this.nullCount = layout.nullCount();
  }

  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      children.forEach(ColumnVector::close);
      buffer.release();
    }
  }

  /** Has its memory freed once no column that shares it can be reached. */
  final void freeWhenUnreachable() {
    buffer.freeWhenUnreachable();
  }

  @Override
  public final boolean hasNull() {
    return nullCount > 0;
  }

  @Override
  public final int numNulls() {
    return nullCount;
  }

  @Override
  public final boolean isNullAt(int row) {
    return nullCount > 0
        && (Platform.getByte(null, validityAddress + (row >> 3)) & (1 << (row & 7))) == 0;
  }

  private UnsupportedOperationException wrongType(String asked) {
    return new UnsupportedOperationException(asked + " of a column of type " + type.sql());
  }

  @Override
  public boolean getBoolean(int row) {
    throw wrongType("getBoolean");
  }

  @Override
  public byte getByte(int row) {
    throw wrongType("getByte");
  }

  @Override
  public short getShort(int row) {
    throw wrongType("getShort");
  }

  @Override
  public int getInt(int row) {
    throw wrongType("getInt");
  }

  @Override
  public long getLong(int row) {
    throw wrongType("getLong");
  }

  @Override
  public float getFloat(int row) {
    throw wrongType("getFloat");
  }

  @Override
  public double getDouble(int row) {
    throw wrongType("getDouble");
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    throw wrongType("getDecimal");
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    throw wrongType("getUTF8String");
  }

  @Override
  public byte @Nullable [] getBinary(int row) {
    throw wrongType("getBinary");
  }

  @Override
  public @Nullable ColumnarArray getArray(int row) {
    throw wrongType("getArray");
  }

  @Override
  public @Nullable ColumnarMap getMap(int row) {
    throw wrongType("getMap");
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw wrongType("getChild");
  }

  /**
   * The addresses of one column's parts in host memory; an address of 0 means that it has no such
   * part.
   */
  record ColumnLayout(long dataAddress, long validityAddress, long offsetsAddress, int nullCount) {}
}
