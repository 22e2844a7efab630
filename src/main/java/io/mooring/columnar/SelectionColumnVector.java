package io.mooring.columnar;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of another column, without a copy. Does not own it: closing does nothing. As
 * thread-safe as the other column.
 */
public final class SelectionColumnVector extends ColumnVector {
  private final ColumnVector whole;
  private final int[] rows;

  /**
   * @param rows which rows of the other column, in order; kept, not copied
   */
  public SelectionColumnVector(ColumnVector whole, int[] rows) {
    super(whole.dataType());
    this.whole = whole;
    this.rows = rows;
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return whole.hasNull();
  }

  @Override
  public int numNulls() {
    int nulls = 0;
    for (int row : rows) {
      nulls += whole.isNullAt(row) ? 1 : 0;
    }
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return whole.isNullAt(rows[row]);
  }

  @Override
  public boolean getBoolean(int row) {
    return whole.getBoolean(rows[row]);
  }

  @Override
  public byte getByte(int row) {
    return whole.getByte(rows[row]);
  }

  @Override
  public short getShort(int row) {
    return whole.getShort(rows[row]);
  }

  @Override
  public int getInt(int row) {
    return whole.getInt(rows[row]);
  }

  @Override
  public long getLong(int row) {
    return whole.getLong(rows[row]);
  }

  @Override
  public float getFloat(int row) {
    return whole.getFloat(rows[row]);
  }

  @Override
  public double getDouble(int row) {
    return whole.getDouble(rows[row]);
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    return whole.getDecimal(rows[row], precision, scale);
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    return whole.getUTF8String(rows[row]);
  }

  @Override
  public byte @Nullable [] getBinary(int row) {
    return whole.getBinary(rows[row]);
  }

  @Override
  public @Nullable ColumnarArray getArray(int row) {
    return whole.getArray(rows[row]);
  }

  @Override
  public @Nullable ColumnarMap getMap(int row) {
    return whole.getMap(rows[row]);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return new SelectionColumnVector(whole.getChild(ordinal), rows);
  }
}
