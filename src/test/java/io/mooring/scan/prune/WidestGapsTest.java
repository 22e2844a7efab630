package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WidestGapsTest {
  private static long gap(long[] values, int at) {
    return values[at + 1] - values[at];
  }

  /** All gaps sorted; of those that are as wide the first come first. */
  private static int[] sorted(long[] values, int most) {
    return IntStream.range(0, values.length - 1)
        .filter(at -> Long.compareUnsigned(gap(values, at), 1) > 0)
        .boxed()
        .sorted(
            Comparator.<Integer, Long>comparing(at -> gap(values, at), Long::compareUnsigned)
                .reversed()
                .thenComparing(at -> at))
        .limit(most)
        .mapToInt(at -> at)
        .sorted()
        .toArray();
  }

  @Test
  void theyAreThoseThatAreFirstWhenSorted() {
    Random random = new Random(System.nanoTime());
    for (int round = 0; round < 2000; round++) {
      long spread = 1L << random.nextInt(64);
      long[] values =
          random
              .longs(1 + random.nextInt(300))
              .map(value -> spread == Long.MIN_VALUE ? value : value % spread)
              .sorted()
              .toArray();
      int most = 1 + random.nextInt(100);
      assertThat(WidestGaps.of(values, most))
          .as(() -> most + " of " + Arrays.toString(values))
          .isEqualTo(sorted(values, most));
    }
  }

  @Test
  void manyGapsMayBeAsWide() {
    long[] values = LongStream.range(0, 100_000).map(i -> 3 * i).toArray();
    assertThat(WidestGaps.of(values, 1000)).isEqualTo(IntStream.range(0, 1000).toArray());
    assertThat(WidestGaps.of(new long[] {7}, 5)).isEmpty();
    assertThat(WidestGaps.of(new long[] {7, 7, 8}, 5)).isEmpty();
  }
}
