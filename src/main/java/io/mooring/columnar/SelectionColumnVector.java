package io.mooring.columnar;

import org.apache.spark.sql.vectorized.ColumnVector;

/** Selected rows of another column. Does not own the other: closing does nothing. */
public final class SelectionColumnVector extends RowMappedColumnVector {
  private final int[] selected;

  /**
   * Makes a selection.
   *
   * @param selected rows of the source, in order; kept, not copied
   */
  public SelectionColumnVector(ColumnVector source, int[] selected) {
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
    return new SelectionColumnVector(field, selected);
  }

  @Override
  public void close() {}
}
