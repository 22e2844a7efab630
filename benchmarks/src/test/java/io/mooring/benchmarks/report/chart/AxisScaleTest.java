package io.mooring.benchmarks.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AxisScaleTest {

  private static List<String> ticks(AxisScale scale) {
    return scale.ticks().stream().map(AxisScale::text).toList();
  }

  @Test
  void ticksAreRoundNumbers() {
    assertThat(ticks(AxisScale.around(List.of(3.1, 17.8), true, false)))
        .containsExactly("0", "5", "10", "15", "20");
    assertThat(ticks(AxisScale.around(List.of(0.97, 1.021), false, false)))
        .containsExactly("0.96", "0.98", "1", "1.02", "1.04");
    assertThat(ticks(AxisScale.around(List.of(0.3, 40.0), false, true)))
        .containsExactly("0.2", "0.5", "1", "2", "5", "10", "20", "50");
    assertThat(ticks(AxisScale.around(List.of(0.3, 40_000.0), false, true)))
        .containsExactly("1", "10", "100", "1000", "10000");
  }

  @Test
  void valuesLieBetweenTheEnds() {
    Random random = new Random(11);
    for (int i = 0; i < 2000; i++) {
      double low = Math.exp(20 * random.nextDouble() - 10);
      double high = low * (1 + 100 * random.nextDouble());
      for (boolean logarithmic : List.of(true, false)) {
        AxisScale scale = AxisScale.around(List.of(low, high), false, logarithmic);
        assertThat(scale.at(low)).isBetween(-1e-9, scale.at(high));
        assertThat(scale.at(high)).isLessThan(1 + 1e-9);
        assertThat(scale.at(scale.low())).isEqualTo(0, within(1e-9));
        assertThat(scale.ticks()).as("%s", scale).hasSizeBetween(2, 12).isSorted();
      }
    }
  }

  @Test
  void oneValueHasAnAxisToo() {
    assertThat(AxisScale.around(List.of(3.0), true, false).at(3)).isBetween(0.5, 1.0);
    assertThat(AxisScale.around(List.of(3.0), false, true).at(3)).isBetween(0.0, 1.0);
    assertThat(AxisScale.around(List.of(0.0), true, true).at(0)).isEqualTo(0);
  }
}
