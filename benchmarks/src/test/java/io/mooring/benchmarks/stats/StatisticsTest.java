package io.mooring.benchmarks.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Student's sleep data: R prints these figures for it ({@code t.test(extra ~ group, sleep)}). */
class StatisticsTest {

  private static final List<Double> GROUP_1 =
      List.of(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0);
  private static final List<Double> GROUP_2 =
      List.of(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4);

  @Test
  void sampleHasThePublishedFigures() {
    Sample sample = Sample.of(GROUP_1);
    assertThat(sample.n()).isEqualTo(10);
    assertThat(sample.median()).isEqualTo(0.35, within(1e-12));
    assertThat(sample.mean()).isEqualTo(0.75, within(1e-12));
    assertThat(sample.sd()).isEqualTo(1.789010, within(1e-6));
    assertThat(sample.min()).isEqualTo(-1.6);
  }

  /** R: {@code exp(t.test(log(c(1, 2, 4)))$conf.int)}. */
  @Test
  void theIntervalIsTheGeometricMeans() {
    Sample sample = Sample.of(List.of(1.0, 2.0, 4.0));
    assertThat(sample.geometricMean()).isEqualTo(2, within(1e-12));
    assertThat(sample.ciLow()).isEqualTo(0.3574621, within(1e-6));
    assertThat(sample.ciHigh()).isEqualTo(11.1899967, within(1e-6));
  }

  @Test
  void noIntervalReachesBelowZero() {
    // An interval of the arithmetic mean would begin at -8.75.
    assertThat(Sample.of(List.of(0.5, 0.6, 9.0)).ciLow()).isBetween(0.0, 0.5);
  }

  @Test
  void twoMeasurementsHaveNoInterval() {
    Sample sample = Sample.of(List.of(1.0, 2.0));
    assertThat(sample.sd()).isNotNull();
    assertThat(sample.ciLow()).isNull();
    assertThat(sample.ciHigh()).isNull();
  }

  @Test
  void whatIsNotAboveZeroHasNoGeometricMean() {
    assertThat(Sample.of(GROUP_1).geometricMean()).isNull();
    assertThat(Sample.of(GROUP_1).ciLow()).isNull();
  }

  @Test
  void oneMeasurementHasNoSpread() {
    Sample sample = Sample.of(List.of(2.5));
    assertThat(sample.median()).isEqualTo(2.5);
    assertThat(sample.sd()).isNull();
    assertThat(sample.ciLow()).isNull();
  }

  @Test
  void welchHasThePublishedP() {
    assertThat(Welch.pValue(GROUP_1, GROUP_2)).isEqualTo(0.07939, within(1e-5));
  }

  @Test
  void welchSaysNothingWithoutSpread() {
    assertThat(Welch.pValue(List.of(1.0), GROUP_2)).isNull();
    assertThat(Welch.pValue(List.of(1.0, 1.0), List.of(1.0, 1.0))).isNull();
  }
}
