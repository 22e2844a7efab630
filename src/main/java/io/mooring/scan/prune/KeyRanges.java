package io.mooring.scan.prune;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.types.DataType;

/**
 * Ranges that hold all values of a join's key on its build side, without nulls. No row with a value
 * outside of them leaves an inner join. Dates count in days.
 *
 * @param ranges not empty ones, apart from each other, in ascending order
 */
public record KeyRanges(List<KeyRange> ranges) {
  /** The ranges of a key without values. */
  public static final KeyRanges EMPTY = new KeyRanges(List.of());

  // The statistics of each row group and page are compared with every range.
  private static final int MOST = 32;

  /** One range from the least to the greatest value. */
  public static KeyRanges between(long least, long greatest) {
    return least > greatest ? EMPTY : new KeyRanges(List.of(new KeyRange(least, greatest)));
  }

  /**
   * At most 32 ranges, apart from each other where the widest gaps between values are.
   *
   * @param ascending the values in their order; may have duplicates
   */
  public static KeyRanges of(long[] ascending) {
    if (ascending.length == 0) {
      return EMPTY;
    }
    int[] ends =
        IntStream.concat(widestGaps(ascending).sorted(), IntStream.of(ascending.length - 1))
            .toArray();
    List<KeyRange> ranges = new ArrayList<>();
    int start = 0;
    for (int end : ends) {
      ranges.add(new KeyRange(ascending[start], ascending[end]));
      start = end + 1;
    }
    return new KeyRanges(List.copyOf(ranges));
  }

  /** The indexes of values with the widest gaps behind them. */
  private static IntStream widestGaps(long[] ascending) {
    PriorityQueue<Integer> widest =
        new PriorityQueue<>((a, b) -> Long.compareUnsigned(gap(ascending, a), gap(ascending, b)));
    for (int at = 0; at < ascending.length - 1; at++) {
      long gap = gap(ascending, at);
      if (Long.compareUnsigned(gap, 1) <= 0) {
        continue;
      } else if (widest.size() < MOST - 1) {
        widest.add(at);
      } else if (Long.compareUnsigned(gap, gap(ascending, widest.element())) > 0) {
        widest.remove();
        widest.add(at);
      }
    }
    return widest.stream().mapToInt(Integer::intValue);
  }

  /** Unsigned: values may be further apart than a long says. */
  private static long gap(long[] ascending, int at) {
    return ascending[at + 1] - ascending[at];
  }

  /** The values that are in other ranges as well. */
  public KeyRanges intersect(KeyRanges other) {
    List<KeyRange> both = new ArrayList<>();
    for (KeyRange range : ranges) {
      for (KeyRange theirs : other.ranges) {
        KeyRange common = range.intersect(theirs);
        if (common.least() <= common.greatest()) {
          both.add(common);
        }
      }
    }
    return new KeyRanges(List.copyOf(both));
  }

  /** Whether a value is in one of the ranges. */
  public boolean contains(long value) {
    return ranges.stream().anyMatch(range -> range.least() <= value && value <= range.greatest());
  }

  /** A filter on a column of this type in files; empty for other types than whole numbers. */
  public Optional<Filter> filter(String name, DataType type) {
    if (ranges.isEmpty()) {
      return KeyRange.nothing(name, type);
    } else if (ranges.size() == 1) {
      return ranges.get(0).filter(name, type);
    }
    // Dictionaries mostly have one of several keys that lie anywhere.
    List<Filter> filters =
        ranges.stream().flatMap(range -> range.bounds(name, type).stream()).toList();
    return filters.isEmpty() ? Optional.empty() : Optional.of(anyOf(filters));
  }

  /** Halves, because the tree is walked by recursion. */
  private static Filter anyOf(List<Filter> filters) {
    int half = filters.size() / 2;
    return half == 0
        ? filters.get(0)
        : new Or(anyOf(filters.subList(0, half)), anyOf(filters.subList(half, filters.size())));
  }
}
