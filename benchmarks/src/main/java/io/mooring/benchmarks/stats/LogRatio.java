package io.mooring.benchmarks.stats;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Variance;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.TTest;

/**
 * The ratio of the means of two samples of positive measurements: the t procedures on the
 * logarithms, whose difference of means is the logarithm of the ratio of the geometric means. Times
 * are skewed to the right and vary in proportion to their length, so their logarithms are nearer to
 * what a t-test assumes, and an interval never reaches below 0. Sources: S. Chow and J. Liu, Design
 * and Analysis of Bioavailability and Bioequivalence Studies, on the log-transformed ratio; B. L.
 * Welch, Biometrika 34 (1947), and F. E. Satterthwaite, Biometrics Bulletin 2 (1946), on unequal
 * variances.
 *
 * @param log estimate of ln(a / b)
 * @param standardError of that estimate, above 0
 * @param degreesOfFreedom of the t distribution of (estimate - truth) / standardError
 */
public record LogRatio(double log, double standardError, double degreesOfFreedom) {

  /**
   * Two independent samples, each with its own variance. Empty where a sample has fewer than two
   * measurements or one that is not above 0, or where nothing varies.
   */
  public static Optional<LogRatio> welch(List<Double> a, List<Double> b) {
    if (Math.min(a.size(), b.size()) < 2 || !isPositive(a) || !isPositive(b)) {
      return Optional.empty();
    }
    double[] x = logarithms(a);
    double[] y = logarithms(b);
    double variance =
        Variance.of(x).getAsDouble() / x.length + Variance.of(y).getAsDouble() / y.length;
    if (variance == 0) {
      return Optional.empty();
    }
    double difference = Mean.of(x).getAsDouble() - Mean.of(y).getAsDouble();
    double freedom = TTest.withDefaults().test(x, y).getDegreesOfFreedom();
    return Optional.of(new LogRatio(difference, Math.sqrt(variance), freedom));
  }

  /**
   * Pairs that were measured back to back, the first of {@code a} with the first of {@code b} and
   * so on: what drifts on the machine drifts for both and falls out. Empty as for {@link #welch}.
   */
  public static Optional<LogRatio> paired(List<Double> a, List<Double> b) {
    if (a.size() != b.size()) {
      throw new IllegalArgumentException(a.size() + " measurements against " + b.size());
    }
    if (a.size() < 2 || !isPositive(a) || !isPositive(b)) {
      return Optional.empty();
    }
    double[] x = logarithms(a);
    double[] y = logarithms(b);
    double[] differences = IntStream.range(0, x.length).mapToDouble(i -> x[i] - y[i]).toArray();
    double error = Math.sqrt(Variance.of(differences).getAsDouble() / x.length);
    return error == 0
        ? Optional.empty()
        : Optional.of(new LogRatio(Mean.of(differences).getAsDouble(), error, x.length - 1.0));
  }

  /** The ratio of the geometric means, a over b. */
  public double ratio() {
    return Math.exp(log);
  }

  /** Lower end of the confidence interval of the ratio that misses it with {@code alpha}. */
  public double low(double alpha) {
    return Math.exp(log - reach(alpha));
  }

  /** Upper end of it. */
  public double high(double alpha) {
    return Math.exp(log + reach(alpha));
  }

  /** Two-sided p value of "the ratio is 1". */
  public double pValue() {
    return 2 * distribution().survivalProbability(Math.abs(log) / standardError);
  }

  /**
   * p value of "the ratio is off 1 by {@code margin} or more", both ways: two one-sided tests (D.
   * J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). A small one shows
   * that a and b are the same but for the margin.
   *
   * @param margin a fraction, such as 0.02; the ratio is held against 1 + margin and its inverse
   */
  public double equivalenceP(double margin) {
    double bound = Math.log1p(margin);
    return distribution().survivalProbability((bound - Math.abs(log)) / standardError);
  }

  /**
   * The smallest change that the test finds with probability {@code power}, as a ratio above 1: H.
   * S. Bloom, Minimum Detectable Effects, Evaluation Review 19 (1995). The true power at this ratio
   * is a little higher where there are few degrees of freedom.
   *
   * @param alpha of the two-sided test
   */
  public double detectable(double alpha, double power) {
    double quantiles =
        distribution().inverseSurvivalProbability(alpha / 2)
            + distribution().inverseSurvivalProbability(1 - power);
    return Math.exp(quantiles * standardError);
  }

  private double reach(double alpha) {
    return distribution().inverseSurvivalProbability(alpha / 2) * standardError;
  }

  private TDistribution distribution() {
    return TDistribution.of(degreesOfFreedom);
  }

  private static boolean isPositive(List<Double> values) {
    return values.stream().allMatch(value -> value > 0);
  }

  private static double[] logarithms(List<Double> values) {
    return values.stream().mapToDouble(Math::log).toArray();
  }
}
