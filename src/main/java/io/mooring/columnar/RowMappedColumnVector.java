package io.mooring.columnar;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A column whose rows are rows of another column, without a copy: a slice of it, or selected rows.
 * As thread-safe as the other column.
 */
public abstract class RowMappedColumnVector extends ColumnVector {
  private final ColumnVector source;

  private RowMappedColumnVector(ColumnVector source) {
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

  /**
   * Consecutive rows of a column.
   *
   * @param first the row of the source that is row 0 here
   * @param owner whether closing the result closes the source
   */
  public static RowMappedColumnVector slice(
      ColumnVector source, int first, int rows, boolean owner) {
    return new Slice(source, first, rows, owner);
  }

  /**
   * Selected rows of a column, which stays the caller's: closing the result does nothing.
   *
   * @param rows of the source, in order; kept, not copied
   */
  public static RowMappedColumnVector select(ColumnVector source, int[] rows) {
    return new Selection(source, rows);
  }

  private static final class Slice extends RowMappedColumnVector {
    private final int first;
    private final int rows;
    private final boolean owner;

    Slice(ColumnVector source, int first, int rows, boolean owner) {
      super(source);
      this.first = first;
      this.rows = rows;
      this.owner = owner;
    }

    @Override
    int sourceRow(int row) {
      return first + row;
    }

    @Override
    int rows() {
      return rows;
    }

    @Override
    ColumnVector mapped(ColumnVector field) {
      return new Slice(field, first, rows, false);
    }

    @Override
    public void close() {
      if (owner) {
        source().close();
      }
    }
  }

  private static final class Selection extends RowMappedColumnVector {
    private final int[] selected;

    Selection(ColumnVector source, int[] selected) {
      super(source);
      this.selected = selected;
    }

    @Override
    int sourceRow(int row) {
      return selected[row];
    }

    @Override
    int rows() {
      return selected.length;
    }

    @Override
    ColumnVector mapped(ColumnVector field) {
      return new Selection(field, selected);
    }

    @Override
    public void close() {}
  }
}
