package io.mooring.scan.prune;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The widest gaps between values in their order, found in linear time: Hoare's selection (Find,
 * Communications of the ACM 4(7), 1961) gives the narrowest of them.
 */
final class WidestGaps {
  private final long[] ascending;

  private WidestGaps(long[] ascending) {
    this.ascending = ascending;
  }

  /**
   * The indexes of values with the widest gaps behind them, in ascending order. Neighbours, such as
   * 3 and 4, have no gap between them.
   *
   * @param ascending may have duplicates
   * @param most the number of indexes at most, not 0
   */
  static int[] of(long[] ascending, int most) {
    return new WidestGaps(ascending).indexes(most);
  }

  private int[] indexes(int most) {
    long[] widths = new long[Math.max(0, ascending.length - 1)];
    int count = 0;
    for (int at = 0; at < widths.length; at++) {
      if (isGap(at)) {
        widths[count++] = width(at);
      }
    }
    if (count <= most) {
      return indexes(count, Long.MIN_VALUE, count);
    }
    long narrowest = select(widths, count, count - most);
    long asWide =
        Arrays.stream(widths, count - most, count).filter(width -> width == narrowest).count();
    return indexes(most, narrowest, (int) asWide);
  }

  /**
   * The indexes of all gaps wider than the narrowest, and of the first that are as wide as that.
   *
   * @param asWide how many of these
   */
  private int[] indexes(int count, long narrowest, int asWide) {
    int[] indexes = new int[count];
    int found = 0;
    int left = asWide;
    for (int at = 0; at < ascending.length - 1; at++) {
      if (!isGap(at) || width(at) < narrowest || (width(at) == narrowest && left-- <= 0)) {
        continue;
      }
      indexes[found++] = at;
    }
    return Arrays.copyOf(indexes, found);
  }

  private boolean isGap(int at) {
    return Long.compareUnsigned(ascending[at + 1] - ascending[at], 1) > 0;
  }

  /** In the order of unsigned differences: values may be further apart than a long says. */
  private long width(int at) {
    return (ascending[at + 1] - ascending[at]) ^ Long.MIN_VALUE;
  }

  /** The value that would be at an index if the first values were sorted; changes their order. */
  private static long select(long[] values, int count, int index) {
    // Chosen at random, no order of values makes the time quadratic but by chance.
    SplittableRandom random = new SplittableRandom(count);
    int low = 0;
    int high = count - 1;
    while (low < high) {
      long pivot = values[random.nextInt(low, high + 1)];
      int up = low;
      int down = high;
      while (up <= down) {
        while (values[up] < pivot) {
          up++;
        }
        while (values[down] > pivot) {
          down--;
        }
        if (up <= down) {
          long other = values[up];
          values[up++] = values[down];
          values[down--] = other;
        }
      }
      if (index <= down) {
        high = down;
      } else if (index >= up) {
        low = up;
      } else {
        break;
      }
    }
    return values[index];
  }
}
