package io.mooring.columnar;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A column whose rows are rows of another column, without a copy. As thread-safe as the other
 * column.
 */
abstract class RowMappedColumnVector extends ColumnVector {
  private final ColumnVector source;

  RowMappedColumnVector(ColumnVector source) {
    super(source.dataType());
    this.source = source;
  }

  /** The row of the source that is a row of this column. */
  abstract int sourceRow(int row);

  /** Number of rows of this column. */
  abstract int rows();

  /** The same rows of a field of the source. */
  abstract ColumnVector mapped(ColumnVector field);

  final ColumnVector source() {
    return source;
  }

  @Override
  public final boolean hasNull() {
    return source.hasNull();
  }

  @Override
  public final int numNulls() {
    int nulls = 0;
    for (int row = 0; source.hasNull() && row < rows(); row++) {
      nulls += isNullAt(row) ? 1 : 0;
    }
    return nulls;
  }

  @Override
  public final boolean isNullAt(int row) {
    return source.isNullAt(sourceRow(row));
  }

  @Override
  public final boolean getBoolean(int row) {
    return source.getBoolean(sourceRow(row));
  }

  @Override
  public final byte getByte(int row) {
    return source.getByte(sourceRow(row));
  }

  @Override
  public final short getShort(int row) {
    return source.getShort(sourceRow(row));
  }

  @Override
  public final int getInt(int row) {
    return source.getInt(sourceRow(row));
  }

  @Override
  public final long getLong(int row) {
    return source.getLong(sourceRow(row));
  }

  @Override
  public final float getFloat(int row) {
    return source.getFloat(sourceRow(row));
  }

  @Override
  public final double getDouble(int row) {
    return source.getDouble(sourceRow(row));
  }

  @Override
  public final @Nullable Decimal getDecimal(int row, int precision, int scale) {
    return source.getDecimal(sourceRow(row), precision, scale);
  }

  @Override
  public final @Nullable UTF8String getUTF8String(int row) {
    return source.getUTF8String(sourceRow(row));
  }

  @Override
  public final byte @Nullable [] getBinary(int row) {
    return source.getBinary(sourceRow(row));
  }

  @Override
  public final @Nullable ColumnarArray getArray(int row) {
    return source.getArray(sourceRow(row));
  }

  @Override
  public final @Nullable ColumnarMap getMap(int row) {
    return source.getMap(sourceRow(row));
  }

  @Override
  public final ColumnVector getChild(int ordinal) {
    return mapped(source.getChild(ordinal));
  }
}
