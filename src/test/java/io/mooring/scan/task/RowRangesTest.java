package io.mooring.scan.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.pageskip.RowSelection;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;

/** Ranges of rows against the rows themselves. */
class RowRangesTest {
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @RepeatedTest(20)
  void aStretchIsWantedWhereOneOfItsRowsIs() {
    System.out.println("RowRangesTest seed " + seed);
    int rows = 1 + random.nextInt(200);
    int[] borders =
        IntStream.concat(IntStream.of(0, rows), random.ints(random.nextInt(20), 0, rows))
            .sorted()
            .distinct()
            .toArray();
    boolean[] passing = new boolean[borders.length - 1];
    for (int i = 0; i < passing.length; i++) {
      passing[i] = random.nextInt(4) == 0;
    }
    int first = borders[random.nextInt(borders.length)];
    RowSelection wanted = new PageSkipping.RowRanges(borders, passing).from(first);
    for (int from = first; from < rows; from++) {
      for (int to = from + 1; to <= rows; to++) {
        assertThat(wanted.any(from - first, to - first))
            .as("rows %d to %d of %d", from, to, rows)
            .isEqualTo(anyPasses(borders, passing, from, to));
      }
    }
  }

  private static boolean anyPasses(int[] borders, boolean[] passing, int from, int to) {
    return IntStream.range(0, passing.length)
        .anyMatch(i -> passing[i] && borders[i] < to && borders[i + 1] > from);
  }
}
