package io.mooring.benchmarks.stats;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The figures of repeated measurements of one thing, in the unit of the measurements.
 *
 * @param n how many measurements
 * @param median the middle one
 * @param mean the arithmetic mean
 * @param sd sample standard deviation (n - 1); null for fewer than two
 * @param min the smallest
 * @param geometricMean null where a measurement is not above 0
 * @param ciLow lower end of the 95 % confidence interval of the geometric mean: Student's t on the
 *     logarithms, so that it is never below 0 (see {@link LogRatio}); null for fewer than three
 *     measurements, and where one is not above 0
 * @param ciHigh upper end of it; null as ciLow
 */
public record Sample(
    int n,
    double median,
    double mean,
    Double sd,
    double min,
    Double geometricMean,
    Double ciLow,
    Double ciHigh) {

  private static final double CONFIDENCE = 0.95;

  /** Two runs tell next to nothing of their spread: t is 12.7 for them. */
  private static final int LEAST = 3;

  /** Summarises at least one measurement. */
  public static Sample of(List<Double> measurements) {
    double[] values = array(measurements);
    double mean = Mean.of(values).getAsDouble();
    double median = Median.withDefaults().evaluate(values);
    double min = Arrays.stream(values).min().orElseThrow();
    Double sd = values.length < 2 ? null : StandardDeviation.of(values).getAsDouble();
    if (!(min > 0)) {
      return new Sample(values.length, median, mean, sd, min, null, null, null);
    }
    double[] logs = Arrays.stream(values).map(Math::log).toArray();
    double log = Mean.of(logs).getAsDouble();
    double geometric = Math.exp(log);
    if (values.length < LEAST) {
      return new Sample(values.length, median, mean, sd, min, geometric, null, null);
    }
    double reach =
        TDistribution.of(logs.length - 1.0).inverseSurvivalProbability((1 - CONFIDENCE) / 2)
            * StandardDeviation.of(logs).getAsDouble()
            / Math.sqrt(logs.length);
    return new Sample(
        values.length,
        median,
        mean,
        sd,
        min,
        geometric,
        Math.exp(log - reach),
        Math.exp(log + reach));
  }

  static double[] array(List<Double> measurements) {
    return measurements.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
