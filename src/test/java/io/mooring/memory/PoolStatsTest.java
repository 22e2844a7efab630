package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PoolStatsTest {
  private static final int STATS = PoolStat.values().length;
  private static final int CAUSES = FallbackCause.values().length;
  private static final int LENGTH = STATS + 2 * CAUSES;

  /** Values that are their own index, but for the state. */
  private static PoolStats counting() {
    return PoolStats.decode(LongStream.range(0, LENGTH).map(i -> i == 0 ? 2 : i).toArray());
  }

  @Test
  void statistics_areInTheOrderOfTheirEnum() {
    PoolStats stats = counting();
    assertThat(stats.state()).isEqualTo(PoolState.READY);
    for (PoolStat stat : PoolStat.values()) {
      if (stat != PoolStat.STATE) {
        assertThat(stats.get(stat)).as(stat.name()).isEqualTo(stat.ordinal());
      }
    }
    assertThat(stats.bytesInUse()).isEqualTo(stats.get(PoolStat.BYTES_IN_USE));
    assertThat(stats.capacityBytes()).isEqualTo(stats.get(PoolStat.CAPACITY_BYTES));
  }

  @Test
  void fallbacks_followWithCountsAndThenBytesByCause() {
    PoolStats stats = counting();
    for (FallbackCause cause : FallbackCause.values()) {
      assertThat(stats.fallbackCount(cause)).isEqualTo(STATS + cause.ordinal());
      assertThat(stats.fallbackBytes(cause)).isEqualTo(STATS + CAUSES + cause.ordinal());
    }
  }

  @Test
  void fallbacks_ofAllCauses_addUp() {
    assertThat(counting().fallbackCount()).isEqualTo(LongStream.range(STATS, STATS + CAUSES).sum());
    assertThat(counting().plus(FallbackCause.OFF, 3, 100).fallbackBytes())
        .isEqualTo(LongStream.range(STATS + CAUSES, LENGTH).sum() + 100);
    assertThat(counting().plus(FallbackCause.OFF, 3, 100).fallbackCount(FallbackCause.OFF))
        .isEqualTo(STATS + 3);
  }

  @Test
  void fragmentation_isTheShareOutsideOfTheLongestRun() {
    long[] values = new long[LENGTH];
    values[PoolStat.CAPACITY_BYTES.ordinal()] = 100;
    values[PoolStat.PAGE_BYTES_IN_USE.ordinal()] = 20;
    values[PoolStat.LARGEST_FREE_RUN.ordinal()] = 20;
    assertThat(PoolStats.decode(values).fragmentation()).isEqualTo(0.75);
    assertThat(PoolStats.none().fragmentation()).isZero();
  }

  @Test
  void anotherNumberOfValues_isRefused() {
    assertThatThrownBy(() -> PoolStats.decode(new long[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected " + LENGTH + " statistics of the pool, got 3");
  }

  @Test
  void text_isOneLine() {
    PoolStats stats = counting();
    assertThat(stats)
        .hasToString(
            String.format(
                "pool READY: 5 of 4 bytes in use, at most 9 so far, %d fallbacks of %d bytes",
                stats.fallbackCount(), stats.fallbackBytes()));
  }
}
