package io.mooring.benchmarks.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PipelineChecksTest {

  private final List<Run> runs = new ArrayList<>();

  private void run(String set, String arm, long bytes, double seconds) {
    runs.add(new Run(set, arm, 16, 1, 1, false, "gpu", seconds, bytes, 0, "", Map.of()));
  }

  private List<Check> checks() {
    Map<String, Boolean> plain = new LinkedHashMap<>();
    plain.put("snappy", false);
    plain.put("plain", true);
    Summary summary = Summary.of(runs, PipelineSteps.LINK);
    return new PipelineChecks(
            runs, summary, plain, List.of(4, 16), List.of(1, 4), /* withCache */ true, List.of())
        .all();
  }

  @Test
  void ratesAreHeldAgainstTheLinkOfTheSameRun() {
    run("snappy", "link", 100, 1);
    run("snappy", "pipeline", 44, 0.5);
    run("snappy", "pipeline x4", 320, 4);
    run("plain", "link", 50, 1);
    run("plain", "pipeline", 44, 1);
    assertThat(checks().subList(1, 5))
        .extracting(Check::name, Check::value, Check::bound, Check::verdict)
        .containsExactly(
            tuple(name("snappy: pipeline"), 0.88, 0.85, "holds"),
            tuple(name("plain: pipeline"), 0.88, 0.90, "fails"),
            tuple(name("snappy: pipeline x4"), 0.8, 0.85, "fails"),
            tuple(name("plain: pipeline x4"), null, 0.90, "skipped"));
  }

  @Test
  void theCacheIsHeldAgainstTheLinkAndItsFillingAgainstThePipeline() {
    run("snappy", "link", 100, 1);
    run("snappy", "pipeline", 80, 1);
    run("snappy", "cache-fill", 79, 1);
    run("snappy", "cached", 96, 1);
    assertThat(checks())
        .filteredOn(check -> check.name().startsWith("snappy: cache"))
        .extracting(Check::value, Check::bound, Check::verdict)
        .containsExactly(tuple(0.9875, 0.98, "holds"), tuple(0.96, 0.97, "fails"));
  }

  private static String name(String start) {
    return start + " / link, encoded bytes a second at 16 tasks";
  }

  @Test
  void withoutAGpuNothingIsHeldAgainstTheLink() {
    run("snappy", "read", 100, 1);
    assertThat(checks()).extracting(Check::verdict).containsOnly("holds", "skipped");
    assertThat(checks().get(0).name()).isEqualTo("steps that failed");
  }
}
