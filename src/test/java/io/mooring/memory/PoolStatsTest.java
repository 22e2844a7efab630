package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PoolStatsTest {
  private static final int LENGTH = 68;

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
        .returns(16L, PoolStats::parkedBlocks)
        .returns(20L, PoolStats::fallbackLimit)
        .returns(25L, PoolStats::grantedBytes)
        .returns(26L, stats -> stats.fallbackCount(FallbackCause.OFF))
        .returns(30L, stats -> stats.fallbackCount(FallbackCause.REFUSED))
        .returns(31L, stats -> stats.fallbackBytes(FallbackCause.OFF))
        .returns(35L, stats -> stats.fallbackBytes(FallbackCause.REFUSED));
    assertThat(counting().latencyHistogram()).hasSize(32).startsWith(36L).endsWith(67L);
  }

  @Test
  void fallbacksOfAllCausesAddUp() {
    assertThat(counting().fallbackCount()).isEqualTo(26 + 27 + 28 + 29 + 30);
    assertThat(counting().plus(FallbackCause.OFF, 3, 100).fallbackBytes())
        .isEqualTo(31 + 32 + 33 + 34 + 35 + 100);
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
        .hasMessage("Expected 68 figures of the pool, got 3");
  }

  @Test
  void readsAsOneLine() {
    assertThat(counting())
        .hasToString(
            "pool READY: 5 of 4 bytes in use, at most 9 so far, 140 fallbacks of 165 bytes");
  }
}
