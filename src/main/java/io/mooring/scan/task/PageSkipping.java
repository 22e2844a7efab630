package io.mooring.scan.task;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.SegmentedReductionAggregation;
import io.mooring.parquet.pageskip.RowSelection;
import io.mooring.parquet.prune.SkippablePages;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.plan.ScanContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves pages unread in which no row passes a filter that has been evaluated already. */
record PageSkipping(long mergeDistance, Configuration conf, ScanCounters counters) {
  private static final Logger LOG = LoggerFactory.getLogger(PageSkipping.class);

  /** Null where page indexes are not to be used. */
  static @Nullable PageSkipping of(ScanContext context, ScanCounters counters) {
    Configuration conf = context.configuration();
    boolean allowed =
        context.settings().skipPages()
            && conf.getBoolean(ParquetInputFormat.COLUMN_INDEX_FILTERING_ENABLED, true);
    return allowed ? new PageSkipping(context.settings().mergeDistance(), conf, counters) : null;
  }

  /**
   * A unit without pages that hold no row of the mask.
   *
   * @param masked the row groups that the mask is of, among them those of the unit
   * @param filterColumns those that the filter will be evaluated on again; they stay whole, because
   *     it could be true of the nulls that stand for other rows
   */
  ReadUnit skipPages(ReadUnit unit, ReadUnit masked, Set<String> filterColumns, ColumnView mask) {
    Optional<SkippablePages> pages = pages(unit, filterColumns);
    if (pages.isEmpty() || pages.get().isEmpty()) {
      return unit;
    }
    Map<Integer, Long> firstRows = firstRows(masked);
    RowRanges ranges = RowRanges.of(mask, borders(masked, pages.get()));
    return skipPages(
        pages.get(),
        unit,
        rowGroup -> ranges.from(Objects.requireNonNull(firstRows.get(rowGroup))));
  }

  private static ReadUnit skipPages(
      SkippablePages pages, ReadUnit unit, IntFunction<RowSelection> wanted) {
    try {
      return pages.skipPages(wanted);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("No page of {} is skipped", unit.files(), e);
      return unit;
    }
  }

  /** Empty where the page indexes are damaged: the row groups are then read as a whole. */
  private Optional<SkippablePages> pages(ReadUnit unit, Set<String> filterColumns) {
    try {
      return Optional.of(SkippablePages.read(unit, filterColumns, mergeDistance, conf, counters));
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("No page of {} is skipped", unit.files(), e);
      return Optional.empty();
    }
  }

  private static Map<Integer, Long> firstRows(ReadUnit masked) {
    Map<Integer, Long> firstRows = new HashMap<>();
    long row = 0;
    for (int rowGroup : masked.rowGroups()) {
      firstRows.put(rowGroup, row);
      row += masked.footer().rowGroups().get(rowGroup).getRowCount();
    }
    return firstRows;
  }

  private static int[] borders(ReadUnit masked, SkippablePages pages) {
    List<Integer> borders = new ArrayList<>();
    int row = 0;
    for (int rowGroup : masked.rowGroups()) {
      long[] inside = pages.pageStarts(rowGroup);
      if (inside.length == 0) {
        borders.add(row);
      }
      for (long border : inside) {
        borders.add((int) (row + border));
      }
      row += (int) masked.footer().rowGroups().get(rowGroup).getRowCount();
    }
    borders.add(row);
    return borders.stream().mapToInt(Integer::intValue).toArray();
  }

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
}
