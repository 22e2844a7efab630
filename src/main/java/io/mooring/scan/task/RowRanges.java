package io.mooring.scan.task;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.SegmentedReductionAggregation;
import io.mooring.parquet.pageskip.RowSelection;
import java.util.Arrays;

/**
 * Rows cut into ranges, of each of which is known whether some row of it passes a filter.
 *
 * @param borders the first row of each range, ascending from 0, and behind them the end
 * @param passing for each range
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowRanges(int[] borders, boolean[] passing) {
  /** Cuts a mask on the device, of which null means false. */
  static RowRanges of(ColumnView mask, int[] borders) {
    try (ColumnVector offsets = ColumnVector.fromInts(borders);
        ColumnVector any = mask.segmentedReduce(offsets, SegmentedReductionAggregation.any());
        HostColumnVector host = any.copyToHost()) {
      boolean[] passing = new boolean[borders.length - 1];
      for (int i = 0; i < passing.length; i++) {
        passing[i] = !host.isNull(i) && host.getBoolean(i);
      }
      return new RowRanges(borders, passing);
    }
  }

  /** The rows that are wanted of those that begin at {@code first}. */
  RowSelection from(long first) {
    return (from, to) -> any(first + from, first + to);
  }

  /** Whether a range with some of the rows from {@code from} to before {@code to} passes. */
  private boolean any(long from, long to) {
    int found = Arrays.binarySearch(borders, (int) from);
    for (int i = found >= 0 ? found : -found - 2; i < passing.length && borders[i] < to; i++) {
      if (passing[i]) {
        return true;
      }
    }
    return false;
  }
}
