package io.mooring.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
}
