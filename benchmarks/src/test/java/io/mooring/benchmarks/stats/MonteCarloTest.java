package io.mooring.benchmarks.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the figures promise, counted on log-normal times of known ratio. The seed is fixed: the
 * counts are the same on every machine, and the bounds are three standard errors of a count wide.
 */
class MonteCarloTest {

  private static final int TRIALS = 4000;
  private static final double SPREAD = 0.03;
  private static final double ALPHA = 0.05;
  private static final double MARGIN = 0.02;

  private final Random random = new Random(20260101);

  private List<Double> times(int count, double typical) {
    return IntStream.range(0, count)
        .mapToObj(i -> typical * Math.exp(SPREAD * random.nextGaussian()))
        .toList();
  }

  /** Share of trials of which {@code happens} is true; the times are of ratio {@code ratio}. */
  private double share(int rounds, double ratio, BiPredicate<List<Double>, List<Double>> happens) {
    int count = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      count += happens.test(times(rounds, ratio), times(rounds, 1)) ? 1 : 0;
    }
    return count / (double) TRIALS;
  }

  private static double reach(double share) {
    return 3 * Math.sqrt(share * (1 - share) / TRIALS);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 20})
  void intervalsHoldTheTrueRatio(int rounds) {
    double covered =
        share(
            rounds,
            1.3,
            (a, b) -> {
              LogRatio ratio = LogRatio.welch(a, b).orElseThrow();
              return ratio.low(ALPHA) < 1.3 && 1.3 < ratio.high(ALPHA);
            });
    assertThat(covered).isBetween(1 - ALPHA - reach(ALPHA), 1 - ALPHA + reach(ALPHA));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 20})
  void falseAlarmsAreAsRareAsAlpha(int rounds) {
    double welch = share(rounds, 1, (a, b) -> LogRatio.welch(a, b).orElseThrow().pValue() < ALPHA);
    double paired =
        share(rounds, 1, (a, b) -> LogRatio.paired(a, b).orElseThrow().pValue() < ALPHA);
    assertThat(welch).isBetween(ALPHA - reach(ALPHA), ALPHA + reach(ALPHA));
    assertThat(paired).isBetween(ALPHA - reach(ALPHA), ALPHA + reach(ALPHA));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20})
  void theDetectableChangeIsFoundWithItsPower(int rounds) {
    LogRatio exact = new LogRatio(0, SPREAD * Math.sqrt(2.0 / rounds), 2.0 * rounds - 2);
    double ratio = exact.detectable(ALPHA, 0.8);
    double found =
        share(rounds, ratio, (a, b) -> LogRatio.welch(a, b).orElseThrow().pValue() < ALPHA);
    assertThat(found).isBetween(0.8 - reach(0.8), 0.82 + reach(0.8));
  }

  @Test
  void equivalenceIsClaimedOfADifferenceAsLargeAsTheMarginAsRarelyAsAlpha() {
    double claimed =
        share(
            20,
            1 + MARGIN,
            (a, b) -> LogRatio.paired(a, b).orElseThrow().equivalenceP(MARGIN) < ALPHA);
    assertThat(claimed).isLessThan(ALPHA + reach(ALPHA));
    double same =
        share(60, 1, (a, b) -> LogRatio.paired(a, b).orElseThrow().equivalenceP(MARGIN) < ALPHA);
    assertThat(same).isGreaterThan(0.9);
  }

  @Test
  void twentyPairsOfTheSameRaiseOneFalseAlarmAtMost() {
    int comparisons = 200;
    int tooMany = 0;
    for (int comparison = 0; comparison < comparisons; comparison++) {
      List<Double> pValues = new ArrayList<>();
      for (int pair = 0; pair < 20; pair++) {
        pValues.add(LogRatio.paired(times(20, 1), times(20, 1)).orElseThrow().pValue());
      }
      long alarms = Holm.adjusted(pValues).stream().filter(p -> p < ALPHA).count();
      tooMany += alarms > 1 ? 1 : 0;
    }
    assertThat(tooMany).isZero();
  }

  @Test
  void theSelfCheckFindsWhatIsThere() {
    FalseAlarms check = new FalseAlarms(4000, 7);
    List<Double> twenty = times(20, 1);
    List<Double> welch = check.welch(twenty);
    assertThat(FalseAlarms.rate(welch, ALPHA)).isBetween(0.03, 0.07);
    assertThat(FalseAlarms.rate(welch, 0.5)).isBetween(0.45, 0.55);
    assertThat(FalseAlarms.rate(check.paired(twenty), ALPHA)).isBetween(0.02, 0.08);
    assertThat(check.welch(twenty)).as("the same seed").isEqualTo(welch);
  }

  @Test
  void ofDependentQueriesTheFamilyIsCounted() {
    List<List<Double>> pValues = List.of(List.of(0.001, 0.02, 0.9), List.of(0.001, 0.9, 0.9));
    assertThat(FalseAlarms.familyRate(pValues, ALPHA, 0)).isEqualTo(2 / 3.0);
    assertThat(FalseAlarms.familyRate(pValues, ALPHA, 1)).isEqualTo(1 / 3.0);
  }
}
