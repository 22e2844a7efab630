package io.mooring.scan.prune;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranges that hold all values of a join's key on its build side, without nulls. No row with a value
 * outside of them leaves an inner join. Dates count in days.
 *
 * @param ranges not empty ones, apart from each other, in ascending order
 */
public record KeyRanges(List<Range> ranges) implements Serializable {
  /** The ranges of a key without values. */
  public static final KeyRanges EMPTY = new KeyRanges(List.of());

  // What they take on the heap is bounded: some 600 KiB. Keys with more gaps than these seldom
  // leave a whole page out.
  private static final int MOST = 1 << 14;

  /** One range from the least to the greatest value. */
  public static KeyRanges between(long least, long greatest) {
    return least > greatest ? EMPTY : new KeyRanges(List.of(new Range(least, greatest)));
  }

  /**
   * At most 16,384 ranges, apart from each other where the widest gaps between values are.
   *
   * @param ascending the values in their order; may have duplicates
   */
  public static KeyRanges of(long[] ascending) {
    if (ascending.length == 0) {
      return EMPTY;
    }
    List<Range> ranges = new ArrayList<>();
    int start = 0;
    for (int end : WidestGaps.of(ascending, MOST - 1)) {
      ranges.add(new Range(ascending[start], ascending[end]));
      start = end + 1;
    }
    ranges.add(new Range(ascending[start], ascending[ascending.length - 1]));
    return new KeyRanges(List.copyOf(ranges));
  }

  /** The values that are in other ranges as well. */
  public KeyRanges intersect(KeyRanges other) {
    List<Range> both = new ArrayList<>();
    int ours = 0;
    int theirs = 0;
    while (ours < ranges.size() && theirs < other.ranges.size()) {
      Range common = ranges.get(ours).intersect(other.ranges.get(theirs));
      if (common.least() <= common.greatest()) {
        both.add(common);
      }
      if (ranges.get(ours).greatest() < other.ranges.get(theirs).greatest()) {
        ours++;
      } else {
        theirs++;
      }
    }
    return new KeyRanges(List.copyOf(both));
  }

  /** Whether a value is in one of the ranges. */
  public boolean contains(long value) {
    return overlaps(value, value);
  }

  /** Whether some value from the least to the greatest is in one of the ranges. */
  public boolean overlaps(long least, long greatest) {
    int low = 0;
    int high = ranges.size();
    // The first range that does not end before the least value.
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).greatest() < least) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < ranges.size() && ranges.get(low).least() <= greatest;
  }

  /** The one range from the first range's least value to the last one's greatest. */
  Range bounds() {
    return new Range(ranges.get(0).least(), ranges.get(ranges.size() - 1).greatest());
  }

  /**
   * A range of whole numbers; dates count in days.
   *
   * @param greatest included; not less than {@code least} but in an intersection without values
   */
  public record Range(long least, long greatest) implements Serializable {

    /** The values that are in another range as well. */
    Range intersect(Range other) {
      return new Range(Math.max(least, other.least), Math.min(greatest, other.greatest));
    }
  }
}
