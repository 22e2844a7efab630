package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.LogCapture;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a process takes of a device that it may share; sizes in MiB. */
class DeviceShareTest {
  private static final long TOTAL = 81_559;
  // What the driver and the process's own context take before it looks.
  private static final long CONTEXT = 600;

  @ParameterizedTest
  @CsvSource({
    // The device alone: the fraction of it, a little less where that is nearly all of it.
    "80000, 79000, 0.8, 63200",
    "80000, 79000, 0.5, 40000",
    "80000, 79000, 1, 79000",
    "80000, 79000, 0.95, 75050",
    // Beside others: never all that is free.
    "80000, 40000, 0.8, 32000",
    "80000, 40000, 0.4, 32000",
    "80000, 40000, 0.2, 16000",
    "80000, 40000, 0.9, 36000",
    "80000, 0, 0.8, 0",
  })
  void isAFractionOfTheDeviceAndNeverAllThatIsFree(
      long total, long free, double fraction, long expected) {
    assertThat(share(total, free, fraction).bytes() >> 20).isBetween(expected - 1, expected);
    assertThat(share(total, free, fraction).bytes() % 256).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4", "6", "8", "12"})
  void executorsThatDivideTheDefaultGetTheSame(int executors) {
    double fraction = Math.floor(1000 * 0.8 / executors) / 1000;
    long free = TOTAL - CONTEXT;
    for (int i = 0; i < executors; i++) {
      DeviceShare share = share(TOTAL, free, fraction);
      assertThat(share.bytes() >> 20)
          .as("executor %d of %d", i + 1, executors)
          .isBetween((long) (0.98 * fraction * TOTAL), (long) (fraction * TOTAL));
      assertThat(share.isCut()).isFalse();
      assertThat(share.suffices()).isTrue();
      free -= (share.bytes() >> 20) + CONTEXT;
    }
  }

  @Test
  void theDefaultServesThreeExecutorsAndRefusesTheNext() {
    long free = TOTAL - CONTEXT;
    for (long least : new long[] {60_000, 12_000, 1_500}) {
      DeviceShare share = share(TOTAL, free, 0.8);
      assertThat(share.bytes() >> 20).isGreaterThan(least);
      assertThat(share.suffices()).isTrue();
      free -= (share.bytes() >> 20) + CONTEXT;
    }
    assertThat(share(TOTAL, free, 0.8).suffices()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "0.8, spark.mooring.gpu.memory.fraction=0.4 for 2 of them",
    "0.95, spark.mooring.gpu.memory.fraction=0.4 for 2 of them",
    "0.4, spark.mooring.gpu.memory.fraction=0.266 for 3 of them",
    "0.266, spark.mooring.gpu.memory.fraction=0.2 for 4 of them",
    "0.2, spark.mooring.gpu.memory.fraction=0.16 for 5 of them",
    "0.1, spark.mooring.gpu.memory.fraction=0.088 for 9 of them",
    "0.012, let fewer executors share the GPU",
  })
  void oneWarningNamesTheSizesAndWhatToSet(double fraction, String advice) {
    try (LogCapture log = LogCapture.open()) {
      share(TOTAL, 600, fraction).warnIfCut();
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .contains("of GPU 3 instead of", "leave 600 of its 81559 MiB free", advice);
    }
  }

  @Test
  void aFullShareIsNotWorthAWarning() {
    try (LogCapture log = LogCapture.open()) {
      share(TOTAL, TOTAL / 2 + 1, 0.8).warnIfCut();
      share(TOTAL, 17_000, 0.2).warnIfCut();
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  @Test
  void aRefusalSaysWhatOtherProcessesLeave() {
    DeviceShare share = share(TOTAL, 1_279, 0.8);
    assertThat(share(TOTAL, 1_281, 0.8).suffices()).isTrue();
    assertThat(share.suffices()).isFalse();
    assertThat(share.refusal().reason())
        .isEqualTo(
            "other processes leave 1279 of the 81559 MiB of GPU 3 free, too few for scans, which"
                + " need 1280: if executors share the GPU, set"
                + " spark.mooring.gpu.memory.fraction=0.4 for 2 of them, and for more 0.8 divided"
                + " by their number");
    assertThat(share.refusal().isExpected()).isFalse();
  }

  @Test
  void aRefusalOfASettingSaysTheLeastThatWouldDo() {
    DeviceShare share = share(TOTAL, TOTAL, 0.01);
    assertThat(share.suffices()).isFalse();
    assertThat(share.refusal().reason())
        .startsWith("spark.mooring.gpu.memory.fraction=0.01 is 815 of the 81559 MiB of GPU 3")
        .endsWith("set it to 0.013 or more");
    assertThat(share(TOTAL, TOTAL, 0.013).suffices()).isTrue();
  }

  private static DeviceShare share(long total, long free, double fraction) {
    return new DeviceShare(3, total << 20, free << 20, fraction);
  }
}
