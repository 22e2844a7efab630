package io.mooring.columnar;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Neighbouring rows of another column, without a copy. As thread-safe as the other column. */
public final class SlicedColumnVector extends ColumnVector {
  private final ColumnVector whole;
  private final int first;
  private final int rows;
  private final boolean owner;

  /**
   * @param first the row of the other column that is row 0 here
   * @param owner whether closing this closes the other
   */
  public SlicedColumnVector(ColumnVector whole, int first, int rows, boolean owner) {
    super(whole.dataType());
    this.whole = whole;
    this.first = first;
    this.rows = rows;
    this.owner = owner;
  }

  @Override
  public void close() {
    if (owner) {
      whole.close();
    }
  }

  @Override
  public boolean hasNull() {
    return whole.hasNull();
  }

  @Override
  public int numNulls() {
    int nulls = 0;
    for (int row = 0; whole.hasNull() && row < rows; row++) {
      nulls += isNullAt(row) ? 1 : 0;
    }
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return whole.isNullAt(first + row);
  }

  @Override
  public boolean getBoolean(int row) {
    return whole.getBoolean(first + row);
  }

  @Override
  public byte getByte(int row) {
    return whole.getByte(first + row);
  }

  @Override
  public short getShort(int row) {
    return whole.getShort(first + row);
  }

  @Override
  public int getInt(int row) {
    return whole.getInt(first + row);
  }

  @Override
  public long getLong(int row) {
    return whole.getLong(first + row);
  }

  @Override
  public float getFloat(int row) {
    return whole.getFloat(first + row);
  }

  @Override
  public double getDouble(int row) {
    return whole.getDouble(first + row);
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    return whole.getDecimal(first + row, precision, scale);
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    return whole.getUTF8String(first + row);
  }

  @Override
  public byte @Nullable [] getBinary(int row) {
    return whole.getBinary(first + row);
  }

  @Override
  public @Nullable ColumnarArray getArray(int row) {
    return whole.getArray(first + row);
  }

  @Override
  public @Nullable ColumnarMap getMap(int row) {
    return whole.getMap(first + row);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return new SlicedColumnVector(whole.getChild(ordinal), first, rows, false);
  }
}
