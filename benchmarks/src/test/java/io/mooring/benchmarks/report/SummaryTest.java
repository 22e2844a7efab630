package io.mooring.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {

  private final Summary summary = Summary.of(Reports.runs(), "no-pool");

  @Test
  void warmUpCountsInNoFigure() {
    Summary.Cell pool = summary.cell("sum", "pool", 4).orElseThrow();
    assertThat(pool.seconds().n()).isEqualTo(3);
    assertThat(pool.seconds().median()).isEqualTo(1.2, within(1e-12));
    assertThat(pool.bytesPerSecond()).isEqualTo(8e9 / 1.2, within(1.0));
    assertThat(pool.engine()).isEqualTo("gpu");
  }

  @Test
  void armsAreComparedWithTheBase() {
    assertThat(summary.comparisons()).hasSize(1);
    Summary.Comparison comparison = summary.comparison("sum", "pool", 4).orElseThrow();
    assertThat(comparison.ratio()).isEqualTo(4.2 / 1.2, within(1e-9));
    assertThat(comparison.p()).isLessThan(0.001);
  }

  @Test
  void ofSeveralProcessesEachIsOneSample() {
    List<Run> runs = new ArrayList<>();
    for (int round = 1; round <= 20; round++) {
      int process = round <= 10 ? 1 : 2;
      runs.add(Reports.run("no-pool", process, round, process + 0.01 * round));
      runs.add(Reports.run("pool", process, round, process + 0.3 + 0.01 * round));
    }
    Summary.Comparison comparison = Summary.of(runs, "no-pool").comparisons().get(0);
    assertThat(comparison.p()).as("two samples each").isBetween(0.5, 1.0);
    runs.replaceAll(r -> Reports.run(r.arm(), 1, r.round(), r.seconds()));
    assertThat(Summary.of(runs, "no-pool").comparisons().get(0).p())
        .as("twenty samples each")
        .isLessThan(0.2);
  }
}
