package io.mooring.benchmarks.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.TTest;
import org.junit.jupiter.api.Test;

/** Student's sleep data as logarithms: R prints these figures of {@code t.test} for it. */
class LogRatioTest {

  private static final List<Double> LOGS_1 =
      List.of(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0);
  private static final List<Double> LOGS_2 =
      List.of(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4);
  private static final List<Double> GROUP_1 = LOGS_1.stream().map(Math::exp).toList();
  private static final List<Double> GROUP_2 = LOGS_2.stream().map(Math::exp).toList();

  private final LogRatio welch = LogRatio.welch(GROUP_1, GROUP_2).orElseThrow();
  private final LogRatio paired = LogRatio.paired(GROUP_1, GROUP_2).orElseThrow();

  @Test
  void welchHasThePublishedFigures() {
    assertThat(welch.degreesOfFreedom()).isEqualTo(17.776, within(1e-3));
    assertThat(welch.pValue()).isEqualTo(0.07939, within(1e-5));
    assertThat(Math.log(welch.low(0.05))).isEqualTo(-3.3654832, within(1e-6));
    assertThat(Math.log(welch.high(0.05))).isEqualTo(0.2054832, within(1e-6));
    assertThat(welch.ratio()).isEqualTo(Math.exp(-1.58), within(1e-12));
  }

  @Test
  void pairedHasThePublishedFigures() {
    assertThat(paired.log() / paired.standardError()).isEqualTo(-4.0621, within(1e-4));
    assertThat(paired.degreesOfFreedom()).isEqualTo(9);
    assertThat(paired.pValue()).isEqualTo(0.002833, within(1e-6));
    assertThat(Math.log(paired.low(0.05))).isEqualTo(-2.4598858, within(1e-6));
    assertThat(Math.log(paired.high(0.05))).isEqualTo(-0.7001142, within(1e-6));
  }

  @Test
  void equivalenceIsTheWorseOfTwoOneSidedTests() {
    double margin = 4;
    double bound = Math.log1p(margin);
    double[] x = Sample.array(LOGS_1);
    double[] y = Sample.array(LOGS_2);
    TTest test = TTest.withDefaults();
    double above =
        test.with(AlternativeHypothesis.GREATER_THAN).withMu(-bound).test(x, y).getPValue();
    double below = test.with(AlternativeHypothesis.LESS_THAN).withMu(bound).test(x, y).getPValue();
    assertThat(welch.equivalenceP(margin)).isEqualTo(Math.max(above, below), within(1e-12));
    assertThat(welch.equivalenceP(0.02)).isGreaterThan(0.5);
  }

  @Test
  void whatCannotBeTestedIsEmpty() {
    assertThat(LogRatio.welch(List.of(1.0), GROUP_2)).isEmpty();
    assertThat(LogRatio.welch(List.of(1.0, 0.0), GROUP_2)).isEmpty();
    assertThat(LogRatio.welch(List.of(2.0, 2.0), List.of(1.0, 1.0))).isEmpty();
    assertThat(LogRatio.paired(List.of(2.0, 4.0), List.of(1.0, 2.0))).isEmpty();
    assertThatThrownBy(() -> LogRatio.paired(List.of(1.0), GROUP_2))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
