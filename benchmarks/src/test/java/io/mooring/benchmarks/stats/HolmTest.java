package io.mooring.benchmarks.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HolmTest {

  /** R: {@code p.adjust(c(0.04, 0.01, 0.05, 0.03, 0.02), "holm")}. */
  @Test
  void adjustsAsR() {
    List<Double> adjusted = Holm.adjusted(List.of(0.04, 0.01, 0.05, 0.03, 0.02));
    List<Double> published = List.of(0.09, 0.05, 0.09, 0.09, 0.08);
    for (int i = 0; i < published.size(); i++) {
      assertThat(adjusted.get(i)).isCloseTo(published.get(i), Offset.offset(1e-12));
    }
  }

  @Test
  void oneTestStaysAsItIsAndNothingPassesOne() {
    assertThat(Holm.adjusted(List.of(0.03)).get(0))
        .isCloseTo(0.03, Percentage.withPercentage(1e-9));
    assertThat(Holm.adjusted(List.of(0.9, 0.8))).containsExactly(1.0, 1.0);
    assertThat(Holm.adjusted(List.of())).isEmpty();
  }
}
