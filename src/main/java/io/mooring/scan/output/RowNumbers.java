package io.mooring.scan.output;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;

/** A last column of row numbers, by which rows that pass a filter are assigned to their files. */
final class RowNumbers {
  private RowNumbers() {}

  /** The columns of a table and behind them the rows' numbers; the caller closes it. */
  static Table appended(Table table) {
    int columns = table.getNumberOfColumns();
    ColumnVector[] all = new ColumnVector[columns + 1];
    for (int i = 0; i < columns; i++) {
      all[i] = table.getColumn(i);
    }
    try (Scalar zero = Scalar.fromInt(0);
        ColumnVector numbers = ColumnVector.sequence(zero, (int) table.getRowCount())) {
      all[columns] = numbers;
      return new Table(all);
    }
  }

  /**
   * How many of the selected rows are of each file.
   *
   * @param numbers of the selected rows, ascending
   * @param rows of each file before the filter
   */
  static long[] perFile(
      org.apache.spark.sql.vectorized.ColumnVector numbers, int count, long[] rows) {
    long[] perFile = new long[rows.length];
    long end = 0;
    int before = 0;
    for (int i = 0; i < rows.length; i++) {
      end += rows[i];
      int below = below(numbers, count, end);
      perFile[i] = below - before;
      before = below;
    }
    return perFile;
  }

  private static int below(
      org.apache.spark.sql.vectorized.ColumnVector numbers, int count, long end) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (numbers.getInt(middle) < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
