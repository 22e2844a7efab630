package io.mooring.scan.prune;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;

/**
 * Ranges that hold all values of a join's key on its build side, without nulls. No row with a value
 * outside of them leaves an inner join. Dates count in days.
 *
 * @param ranges not empty ones, apart from each other, in ascending order
 */
public record KeyRanges(List<Range> ranges) {
  /** The ranges of a key without values. */
  public static final KeyRanges EMPTY = new KeyRanges(List.of());

  // The statistics of each row group and page are compared with every range.
  private static final int MOST = 32;

  /** One range from the least to the greatest value. */
  public static KeyRanges between(long least, long greatest) {
    return least > greatest ? EMPTY : new KeyRanges(List.of(new Range(least, greatest)));
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
    List<Range> ranges = new ArrayList<>();
    int start = 0;
    for (int end : ends) {
      ranges.add(new Range(ascending[start], ascending[end]));
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
    List<Range> both = new ArrayList<>();
    for (Range range : ranges) {
      for (Range theirs : other.ranges) {
        Range common = range.intersect(theirs);
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
  public Optional<Filter> filter(String column, DataType type) {
    String name = FileNames.inFilters(column);
    if (ranges.isEmpty()) {
      return Range.nothing(name, type);
    } else if (ranges.size() == 1) {
      return ranges.get(0).filter(name, type);
    }
    // Bounds only: of several keys, a dictionary mostly has one, so reading it rules out little.
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

  /**
   * A range of whole numbers; dates count in days.
   *
   * @param greatest included; not less than {@code least} but in an intersection without values
   */
  public record Range(long least, long greatest) {

    /** The values that are in another range as well. */
    Range intersect(Range other) {
      return new Range(Math.max(least, other.least), Math.min(greatest, other.greatest));
    }

    /** A filter on a column of this type in files; empty for other types than whole numbers. */
    Optional<Filter> filter(String name, DataType type) {
      return least == greatest
          ? literal(type, least).map(only -> new EqualTo(name, only))
          : bounds(name, type);
    }

    /** The same by statistics alone: an equality would have dictionaries read. */
    Optional<Filter> bounds(String name, DataType type) {
      return literal(type, least)
          .map(
              from ->
                  new And(
                      new GreaterThanOrEqual(name, from),
                      new LessThanOrEqual(name, literal(type, greatest).orElseThrow())));
    }

    /** A filter that no value of such a column passes; empty for other types than whole numbers. */
    static Optional<Filter> nothing(String name, DataType type) {
      return literal(type, type instanceof LongType ? Long.MAX_VALUE : Integer.MAX_VALUE)
          .map(most -> new GreaterThan(name, most));
    }

    private static Optional<Object> literal(DataType type, long value) {
      if (type instanceof IntegerType) {
        return Optional.of((int) value);
      } else if (type instanceof LongType) {
        return Optional.of(value);
      }
      return type instanceof DateType ? Optional.of(LocalDate.ofEpochDay(value)) : Optional.empty();
    }
  }
}
