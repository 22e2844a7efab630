package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Samples;
import io.mooring.benchmarks.stats.LogRatio;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Mean;

/**
 * One query at one task count, measured on both sides.
 *
 * @param a samples of the first side, at least one; all their runs have the metric
 * @param b samples of the second side, likewise
 * @param paired whether the sides took turns
 * @param ratio of their figures, above 1 where B is better; empty where nothing can be tested
 */
record QueryComparison(
    ReportSide.Key key,
    String armA,
    String armB,
    Samples a,
    Samples b,
    boolean paired,
    Metric metric,
    Optional<LogRatio> ratio) {

  static QueryComparison of(
      ReportSide.Key key, String armA, String armB, List<Run> a, List<Run> b, Metric metric) {
    Samples.Unit unit = Samples.unit(a, b);
    Samples first = Samples.of(a, unit);
    Samples second = Samples.of(b, unit);
    boolean paired = PairedRuns.taken(first, second);
    List<Double> x = first.figures(metric::figure);
    List<Double> y = second.figures(metric::figure);
    List<Double> over = metric.higherIsBetter() ? y : x;
    List<Double> under = metric.higherIsBetter() ? x : y;
    Optional<LogRatio> ratio = paired ? LogRatio.paired(over, under) : LogRatio.welch(over, under);
    return new QueryComparison(key, armA, armB, first, second, paired, metric, ratio);
  }

  /** The unit of the samples of both sides. */
  Samples.Unit unit() {
    return a.unit();
  }

  /** The p value of "no difference", where there is one. */
  Optional<Double> p() {
    return ratio.map(LogRatio::pValue);
  }

  /**
   * The ratio of A to B, above 1 where B is better: that of the arithmetic means where {@code
   * ratio} is empty.
   */
  double plainRatio() {
    double a = mean(this.a);
    double b = mean(this.b);
    return ratio.map(LogRatio::ratio).orElse(metric.higherIsBetter() ? b / a : a / b);
  }

  private double mean(Samples samples) {
    return Mean.of(samples.figures(metric::figure).stream().mapToDouble(x -> x).toArray())
        .getAsDouble();
  }

  /** Detects arms that ran in turns, so that a round, or a process, of both is a pair. */
  private static final class PairedRuns {

    private PairedRuns() {}

    /**
     * True when both sides have the same rounds or processes, each once, and every run began after
     * all runs of the round or process before had begun. False where the start of a run cannot be
     * read.
     */
    static boolean taken(Samples a, Samples b) {
      List<Integer> numbers = a.numbers();
      if (!numbers.equals(b.numbers()) || numbers.stream().distinct().count() < numbers.size()) {
        return false;
      }
      Instant previous = Instant.MIN;
      for (int i = 0; i < numbers.size(); i++) {
        List<Optional<Instant>> starts =
            Stream.concat(a.groups().get(i).stream(), b.groups().get(i).stream())
                .map(PairedRuns::start)
                .toList();
        Instant last = previous;
        if (!starts.stream().allMatch(start -> start.isPresent() && start.get().isAfter(last))) {
          return false;
        }
        previous = starts.stream().map(Optional::orElseThrow).max(Instant::compareTo).orElseThrow();
      }
      return true;
    }

    private static Optional<Instant> start(Run run) {
      try {
        return Optional.of(Instant.parse(run.startedAt()));
      } catch (DateTimeParseException e) {
        return Optional.empty();
      }
    }
  }
}
