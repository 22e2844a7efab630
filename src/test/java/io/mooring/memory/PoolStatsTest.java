package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PoolStatsTest {
  private static final int LENGTH = 33;

  /** Figures that are their own index, but for the state. */
  private static PoolStats counting() {
    return PoolStats.decode(LongStream.range(0, LENGTH).map(i -> i == 0 ? 2 : i).toArray());
  }

  @Test
  void figuresAreReadInTheOrderOfTheNativeSide() {
    assertThat(counting())
        .returns(PoolState.READY, PoolStats::state)
        .returns(1, PoolStats::numaNode)
        .returns(4L, PoolStats::capacityBytes)
        .returns(9L, PoolStats::highWaterMark)
        .returns(14L, PoolStats::parkedBlocks)
        .returns(18L, PoolStats::fallbackLimit)
        .returns(22L, PoolStats::requestedBytes)
        .returns(23L, stats -> stats.fallbackCount(FallbackCause.OFF))
        .returns(27L, stats -> stats.fallbackCount(FallbackCause.REFUSED))
        .returns(28L, stats -> stats.fallbackBytes(FallbackCause.OFF))
        .returns(32L, stats -> stats.fallbackBytes(FallbackCause.REFUSED));
  }

  @Test
  void fallbacksOfAllCausesAddUp() {
    assertThat(counting().fallbackCount()).isEqualTo(23 + 24 + 25 + 26 + 27);
    assertThat(counting().plus(FallbackCause.OFF, 3, 100).fallbackBytes())
        .isEqualTo(28 + 29 + 30 + 31 + 32 + 100);
  }

  @Test
  void fragmentationIsWhatTheLongestRunLeavesOut() {
    long[] figures = new long[LENGTH];
    figures[4] = 100;
    figures[8] = 20;
    figures[10] = 20;
    assertThat(PoolStats.decode(figures).fragmentation()).isEqualTo(0.75);
    assertThat(PoolStats.none().fragmentation()).isZero();
  }

  @Test
  void anotherNumberOfFiguresIsRefused() {
    assertThatThrownBy(() -> PoolStats.decode(new long[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected 33 figures of the pool, got 3");
  }

  @Test
  void readsAsOneLine() {
    assertThat(counting())
        .hasToString(
            "pool READY: 5 of 4 bytes in use, at most 9 so far, 125 fallbacks of 150 bytes");
  }
}
