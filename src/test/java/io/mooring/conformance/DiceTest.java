package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds of a run have neighbouring seeds, and are to differ from their first choice on. */
class DiceTest {
  private static final int ROUNDS = 1_000;

  @ParameterizedTest
  @ValueSource(longs = {0, 58_546_839_846L, 200_967_793_516L, Long.MAX_VALUE - ROUNDS})
  void firstChoicesOfNeighboursAreEven(long seed) {
    var chosen =
        LongStream.range(seed, seed + ROUNDS)
            .mapToObj(each -> new Dice(each).one("a", "b", "c", "d"))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(chosen)
        .hasSize(4)
        .allSatisfy((which, times) -> assertThat(times).isGreaterThan(180L));
  }
}
