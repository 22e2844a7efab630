package io.mooring.columnar;

import org.apache.spark.sql.vectorized.ColumnVector;

/** Consecutive rows of another column. */
public final class SlicedColumnVector extends RowMappedColumnVector {
  private final int first;
  private final int rows;
  private final boolean owner;

  /**
   * Makes a slice.
   *
   * @param first the row of the source that is row 0 here
   * @param owner whether closing this closes the source
   */
  public SlicedColumnVector(ColumnVector source, int first, int rows, boolean owner) {
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
    return new SlicedColumnVector(field, first, rows, false);
  }

  @Override
  public void close() {
    if (owner) {
      source().close();
    }
  }
}
