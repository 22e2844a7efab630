package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.report.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AdviceTest {

  private final List<String> arms = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();

  /** Rounds of one query; each second is {@code seconds} give or take the noise. */
  private AdviceTest arm(String arm, double seconds, double noise, int rounds) {
    Random random = new Random(arm.hashCode());
    String size = arm.contains(":") ? arm.substring(arm.indexOf(':') + 1) : "0";
    long bytes = size.equals("0") ? 0 : ByteSize.parse(size).bytes();
    arms.add(arm);
    for (int round = 1; round <= rounds; round++) {
      double time = seconds * (1 + noise * (random.nextDouble() - 0.5));
      Map<String, Long> metrics = Map.of("pinnedLimitBytes", bytes);
      runs.add(new Run("sum", arm, 16, 1, round, false, "gpu", time, 1, 0, "", metrics));
    }
    return this;
  }

  private Advice advice() {
    return Advice.of(runs, new Arms(List.of("auto")).parse(arms)).orElseThrow();
  }

  @Test
  void theSmallestPoolThatCostsNothingIsNamed() {
    arm("pool:512m", 1.5, 0.01, 5).arm("pool:4g", 1, 0.01, 5).arm("pool:2g", 1.001, 0.01, 5);
    assertThat(arm("no-pool", 4, 0.01, 5).advice().setting())
        .hasValue("spark.mooring.pinnedPool.size=2g");
    assertThat(advice().note())
        .startsWith("Advice: a pool of 2g costs nothing here: ")
        .endsWith(" with 95 % confidence: spark.mooring.pinnedPool.size=2g");
  }

  @Test
  void aPoolThatIsNotNeededIsSwitchedOff() {
    arm("no-pool", 1, 0.001, 5).arm("pool:2g", 1, 0.001, 5);
    assertThat(advice().setting()).hasValue("spark.mooring.pinnedPool.size=0");
  }

  @Test
  void aSmallerPoolThatCostsTimeIsNotAdvised() {
    arm("pool:1g", 1.2, 0.01, 5).arm("pool:2g", 1, 0.01, 5);
    assertThat(advice().setting()).hasValue("spark.mooring.pinnedPool.size=2g");
    assertThat(advice().reason()).contains("the next smaller, 1g, costs time");
  }

  @Test
  void ofSeveralProcessesEachIsOneSample() {
    arm("pool:1g", 1, 0.001, 10).arm("pool:2g", 1, 0.001, 10);
    assertThat(advice().setting()).hasValue("spark.mooring.pinnedPool.size=1g");
    inProcesses(5);
    assertThat(advice().reason()).as("two processes").startsWith("fewer than 3");
    inProcesses(2);
    assertThat(advice().setting()).hasValue("spark.mooring.pinnedPool.size=1g");
  }

  /** So many rounds in each process. */
  private void inProcesses(int rounds) {
    runs.replaceAll(
        r ->
            new Run(
                r.query(),
                r.arm(),
                r.tasks(),
                (r.round() - 1) / rounds + 1,
                r.round(),
                false,
                r.engine(),
                r.seconds(),
                1,
                0,
                "",
                r.metrics()));
  }

  @Test
  void noiseIsNoProof() {
    arm("pool:1g", 1, 0.5, 3).arm("pool:2g", 1, 0.5, 3);
    assertThat(advice().setting()).hasValue("spark.mooring.pinnedPool.size=2g");
    assertThat(advice().reason()).contains("could not be told from it within 2 %");
  }

  @Test
  void fewRoundsAndOneSizeTellNothing() {
    arm("pool:1g", 1, 0, 2).arm("pool:2g", 1, 0, 2);
    assertThat(advice().setting()).isEmpty();
    runs.clear();
    assertThat(arm("pool:4g", 1, 0, 5).advice().reason()).startsWith("one pool size tells nothing");
  }

  @Test
  void withoutAGpuThereIsNone() {
    arm("pool:1g", 1, 0, 5).arm("pool:2g", 1, 0, 5);
    runs.replaceAll(
        r -> new Run("sum", r.arm(), 16, 1, r.round(), false, "cpu", 1, 1, 0, "", Map.of()));
    assertThat(Advice.of(runs, new Arms(List.of("auto")).parse(arms))).isEqualTo(Optional.empty());
  }
}
