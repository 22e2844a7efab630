package io.mooring.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.report.PoolSnapshot.FallbackTotals;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolAdviceTest {
  private static final long GIB = 1L << 30;
  private static final long MIB = 1L << 20;

  private static ExecutorReport executor(String id, PoolSnapshot pool) {
    return new ExecutorReport(id, 0, "GPU 0", "", 1 << 30, 1, pool, List.of());
  }

  private static PoolSnapshot pool(long capacity, long peak, long requested) {
    return pool(capacity, peak, requested, 0, 0, Map.of());
  }

  private static PoolSnapshot pool(
      long capacity,
      long peak,
      long requested,
      long pageable,
      long waits,
      Map<String, FallbackTotals> fallbacks) {
    Map<String, Long> stats =
        Map.of(
            "CAPACITY_BYTES", capacity,
            "HIGH_WATER_MARK", peak,
            "REQUESTED_BYTES", requested,
            "FALLBACK_BYTES_HELD", pageable,
            "WAIT_COUNT", waits);
    return new PoolSnapshot("READY", stats, fallbacks, Map.of());
  }

  @Test
  void aCacheThatWasTooSmallIsToldWhichSizeWouldHaveBeenEnough() {
    PoolSnapshot used = pool(8 * GIB, 3 * GIB, 50 * GIB);
    PoolSnapshot small =
        new PoolSnapshot(
            used.state(), used.stats(), used.fallbacks(), Map.of("ENOUGH_BYTES", 14 * GIB - 1));
    assertThat(PoolAdvice.of(List.of(executor("1", used), executor("2", small))))
        .endsWith(
            "; spark.mooring.cache.size=14g, in a pool with that much more than scans need, would"
                + " have held every column chunk that was read again");
  }

  @Test
  void aPoolThatWasLargeEnoughIsToldHowMuchSmallerItMayBe() {
    assertThat(PoolAdvice.of(List.of(executor("1", pool(8 * GIB, 3 * GIB, 50 * GIB)))))
        .isEqualTo(
            "the pinned pool's peak was 3 GiB of 8 GiB (executor 1); 0.0% of the buffers' bytes"
                + " were pageable; spark.mooring.pinnedPool.size=3g would have been enough");
  }

  @Test
  void whatCameFromPageableMemoryIsAddedToThePeakOfThatExecutor() {
    PoolSnapshot small =
        pool(
            8 * GIB,
            8 * GIB,
            75 * GIB,
            2 * GIB,
            0,
            Map.of("EXHAUSTED", new FallbackTotals(9, 25 * GIB)));
    assertThat(PoolAdvice.of(List.of(executor("1", small), executor("2", pool(8 * GIB, GIB, 0)))))
        .isEqualTo(
            "the pinned pool's peak was 8 GiB of 8 GiB (executor 1); 25.0% of the buffers' bytes"
                + " were pageable (EXHAUSTED 9); spark.mooring.pinnedPool.size=10g would have been"
                + " enough");
  }

  @Test
  void fallbacksWhileThePoolStartedAskForNoLargerOne() {
    PoolSnapshot starting =
        pool(8 * GIB, 2 * GIB, 9 * GIB, 3 * GIB, 0, Map.of("STARTING", new FallbackTotals(4, GIB)));
    assertThat(PoolAdvice.of(List.of(executor("1", starting))))
        .contains("(STARTING 4)")
        .endsWith("spark.mooring.pinnedPool.size=2g would have been enough");
  }

  @Test
  void waitingSaysThatMoreMightHaveBeenTaken() {
    PoolSnapshot full =
        pool(GIB, GIB, GIB, 4 * GIB, 7, Map.of("FRAGMENTED", new FallbackTotals(9, 5 * GIB)));
    assertThat(PoolAdvice.of(List.of(executor("1", full))))
        .endsWith("spark.mooring.pinnedPool.size=5g would have been enough or nearly so");
  }

  @Test
  void whereThereWasNoPoolThePageableMemoryTellsItsSize() {
    PoolSnapshot off = pool(0, 0, 0, 100 * MIB, 0, Map.of("OFF", new FallbackTotals(3, GIB)));
    assertThat(PoolAdvice.of(List.of(executor("1", off))))
        .contains("100.0% of the buffers' bytes were pageable (OFF 3)")
        .endsWith("spark.mooring.pinnedPool.size=128m would have been enough");
  }

  @Test
  void whereNothingUsedThePoolTheReasonIsTold() {
    ExecutorReport none =
        new ExecutorReport("1", 0, "", "no driver", 0, 0, pool(0, 0, 0), List.of());
    assertThat(PoolAdvice.of(List.of())).isEqualTo("no executor has reported its pool");
    assertThat(PoolAdvice.of(List.of(none)))
        .isEqualTo("nothing used the pinned pool: no executor has a usable GPU (no driver)");
    assertThat(PoolAdvice.of(List.of(executor("1", pool(GIB, 0, 0)))))
        .isEqualTo("nothing used the pinned pool");
  }

  @ParameterizedTest
  @CsvSource({"1, 64m", "67108864, 64m", "67108865, 128m", "1073741824, 1g", "5000000000, 5g"})
  void settingsAreRoundedUp(long bytes, String setting) {
    assertThat(PoolAdvice.setting(bytes)).isEqualTo(setting);
  }
}
