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
 * @param ciLow lower end of the 95 % confidence interval of the mean (Student's t); null as sd
 * @param ciHigh upper end of it; null as sd
 */
public record Sample(
    int n, double median, double mean, Double sd, double min, Double ciLow, Double ciHigh) {

  private static final double CONFIDENCE = 0.95;

  /** Summarises at least one measurement. */
  public static Sample of(List<Double> measurements) {
    double[] values = array(measurements);
    double mean = Mean.of(values).getAsDouble();
    double median = Median.withDefaults().evaluate(values);
    double min = Arrays.stream(values).min().orElseThrow();
    if (values.length < 2) {
      return new Sample(values.length, median, mean, null, min, null, null);
    }
    double sd = StandardDeviation.of(values).getAsDouble();
    double reach =
        TDistribution.of(values.length - 1.0).inverseSurvivalProbability((1 - CONFIDENCE) / 2)
            * sd
            / Math.sqrt(values.length);
    return new Sample(values.length, median, mean, sd, min, mean - reach, mean + reach);
  }

  static double[] array(List<Double> measurements) {
    return measurements.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
