package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolSizingTest {
  private static final long GIB = 1L << 30;
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private static PoolSizing sizing(OptionalLong wanted, long memory, long lockable) {
    return PoolSizing.of(wanted, memory, 1, GIB, lockable);
  }

  @Test
  void autoIsAQuarterOfTheMemoryAndSixteenGibAtMost() {
    assertThat(sizing(OptionalLong.empty(), 8 * GIB, NO_LIMIT)).isEqualTo(fits(2 * GIB));
    assertThat(sizing(OptionalLong.empty(), 512 * GIB, NO_LIMIT)).isEqualTo(fits(16 * GIB));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 16})
  void thePoolsOfAllExecutorsOfAHostTakeHalfOfItAtMost(int executors) {
    for (long memory : new long[] {8 * GIB, 64 * GIB, 2048 * GIB}) {
      PoolSizing each = PoolSizing.of(OptionalLong.empty(), memory, executors, GIB, NO_LIMIT);
      assertThat(each.bytes() * executors).isBetween(1L, memory / 2);
      assertThat(each.bytes()).isLessThanOrEqualTo(memory / 4);
      assertThat(each.warning()).isEmpty();
    }
    OptionalLong wanted = OptionalLong.of(5 * GIB);
    assertThat(PoolSizing.of(wanted, 8 * GIB, executors, GIB, NO_LIMIT)).isEqualTo(fits(5 * GIB));
  }

  private static PoolSizing fits(long bytes) {
    return new PoolSizing(bytes, "");
  }

  @Test
  void autoStaysWithinTheMemlockLimitAndSaysSo() {
    PoolSizing cut = sizing(OptionalLong.empty(), 64 * GIB, 64 << 20);
    assertThat(cut.bytes()).isEqualTo(64 << 20);
    assertThat(cut.warning())
        .isEqualTo(
            "spark.mooring.pinnedPool.size is auto, here 16384 MiB, but the memlock limit"
                + " (ulimit -l) is 64 MiB: the pool gets 64 MiB. Set a smaller size, or raise the"
                + " limit");
    assertThat(sizing(OptionalLong.empty(), 64 * GIB, 65_536).bytes()).isZero();
  }

  @Test
  void aSizeThatFitsIsTakenAsItIs() {
    assertThat(sizing(OptionalLong.of(5 * GIB), 8 * GIB, NO_LIMIT)).isEqualTo(fits(5 * GIB));
    assertThat(sizing(OptionalLong.of(0), 8 * GIB, NO_LIMIT)).isEqualTo(fits(0));
  }

  @Test
  void aSizeBeyondTheMachineIsCutBesideTheHeapWithOneWarning() {
    PoolSizing sizing = sizing(OptionalLong.of(1000 * GIB), 10 * GIB, NO_LIMIT);
    assertThat(sizing.bytes()).isEqualTo(7 * GIB);
    assertThat(sizing.warning())
        .isEqualTo(
            "spark.mooring.pinnedPool.size is 1024000 MiB, but this process may use 10240 MiB, its"
                + " heap 1024 MiB of that: the pool gets 7168 MiB. Set a smaller size, or raise the"
                + " limit");
  }

  @Test
  void aHeapThatFillsTheMachineLeavesNoPool() {
    assertThat(PoolSizing.of(OptionalLong.of(GIB), 4 * GIB, 1, 4 * GIB, NO_LIMIT).bytes()).isZero();
  }

  @Test
  void aSizeBeyondTheMemlockLimitSaysSo() {
    assertThat(sizing(OptionalLong.of(GIB), 8 * GIB, 64 << 20).warning())
        .contains("the memlock limit (ulimit -l) is 64 MiB");
  }
}
