package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.stats.LogRatio;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.descriptive.Mean;

/**
 * One query at one task count, measured on both sides.
 *
 * @param a runs of the first side that have the metric, at least one
 * @param b runs of the second side, likewise
 * @param paired whether the sides took turns
 * @param ratio of their figures, above 1 where B is better; empty where nothing can be tested
 */
record Contest(
    Side.Key key,
    String armA,
    String armB,
    List<Run> a,
    List<Run> b,
    boolean paired,
    Metric metric,
    Optional<LogRatio> ratio) {

  static Contest of(
      Side.Key key, String armA, String armB, List<Run> a, List<Run> b, Metric metric) {
    boolean paired = Turns.taken(a, b);
    List<Double> x = figures(a, metric);
    List<Double> y = figures(b, metric);
    List<Double> over = metric.higherIsBetter() ? y : x;
    List<Double> under = metric.higherIsBetter() ? x : y;
    Optional<LogRatio> ratio = paired ? LogRatio.paired(over, under) : LogRatio.welch(over, under);
    return new Contest(key, armA, armB, a, b, paired, metric, ratio);
  }

  /** The p value of "no difference", where there is one. */
  Optional<Double> p() {
    return ratio.map(LogRatio::pValue);
  }

  /** Above 1: B is better. Of the arithmetic means where logarithms cannot be taken. */
  double plainRatio() {
    double a = mean(this.a);
    double b = mean(this.b);
    return ratio.map(LogRatio::ratio).orElse(metric.higherIsBetter() ? b / a : a / b);
  }

  private double mean(List<Run> runs) {
    return Mean.of(figures(runs, metric).stream().mapToDouble(x -> x).toArray()).getAsDouble();
  }

  private static List<Double> figures(List<Run> runs, Metric metric) {
    return Turns.sorted(runs).stream().flatMap(run -> metric.of(run).stream()).toList();
  }
}
