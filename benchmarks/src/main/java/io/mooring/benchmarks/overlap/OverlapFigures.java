package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** Measured against ideal, by medians of the same run. */
record OverlapFigures(Summary summary) {

  /** Median seconds of a method. */
  Optional<Double> seconds(Balance balance, String method) {
    return median(balance.text(), method);
  }

  /**
   * The times of a method's stages, each measured alone; empty for pageable memory, which has no
   * stages.
   */
  Optional<Stages> stages(Balance balance, String method) {
    String staging =
        method.equals(Overlaps.PIPELINE) ? Overlaps.STAGING_SEVERAL : Overlaps.STAGING_ONE;
    Optional<Double> copying = median(Overlaps.ALONE, Overlaps.COPYING);
    Optional<Double> computing = median(Overlaps.ALONE, Overlaps.computing(balance));
    return median(Overlaps.ALONE, staging)
        .filter(s -> !method.equals(Overlaps.PAGEABLE))
        .flatMap(s -> copying.flatMap(d -> computing.map(c -> new Stages(s, d, c))));
  }

  /** The share of its ideal speedup that a method reaches. */
  Optional<Double> ofIdeal(Balance balance, String method) {
    return seconds(balance, method)
        .flatMap(seconds -> stages(balance, method).map(stages -> stages.ofIdeal(seconds)));
  }

  /** The speedup of a method over pinned memory on the same thread. */
  Optional<Double> overSameThread(Balance balance, String method) {
    return seconds(balance, Overlaps.SAME_THREAD)
        .flatMap(same -> seconds(balance, method).map(mine -> same / mine));
  }

  private Optional<Double> median(String query, String arm) {
    return summary.cell(query, arm, 1).map(cell -> cell.seconds().median());
  }

  /** A row for every method under every balance. */
  String text() {
    List<List<String>> rows = new ArrayList<>();
    for (Balance balance : Balance.values()) {
      for (String method : Overlaps.METHODS) {
        seconds(balance, method).ifPresent(seconds -> rows.add(row(balance, method, seconds)));
      }
    }
    return new Table(
            List.of(
                "case and method",
                "seconds",
                "staging s",
                "copying s",
                "computing s",
                "ideal",
                "measured",
                "of the ideal",
                "over same thread"),
            rows)
        .text("Against the ideal: the stages' sum over the slowest of them, each measured alone");
  }

  private List<String> row(Balance balance, String method, double seconds) {
    Optional<Stages> stages = stages(balance, method);
    return List.of(
        balance.text() + ", " + method,
        figure("%.4f", Optional.of(seconds)),
        figure("%.4f", stages.map(Stages::staging)),
        figure("%.4f", stages.map(Stages::copying)),
        figure("%.4f", stages.map(Stages::computing)),
        figure("%.2fx", stages.map(Stages::ideal)),
        figure("%.2fx", stages.map(s -> s.speedUp(seconds))),
        figure("%.3f", ofIdeal(balance, method)),
        figure("%.2fx", overSameThread(balance, method)));
  }

  private static String figure(String pattern, Optional<Double> value) {
    return value.map(v -> String.format(Locale.ROOT, pattern, v)).orElse("-");
  }

  /**
   * Seconds that the stages of one piece of work take, each alone, for all chunks.
   *
   * @param staging from pageable into pinned memory
   * @param copying from there to the device
   * @param computing on the device
   */
  record Stages(double staging, double copying, double computing) {

    /** The time of all stages, one after the other. */
    double sum() {
      return staging + copying + computing;
    }

    /** All at the same time: no faster than the slowest. */
    double slowest() {
      return DoubleStream.of(staging, copying, computing).max().orElseThrow();
    }

    /** The speedup of perfect overlap over none: sum over maximum. */
    double ideal() {
      return sum() / slowest();
    }

    /** The speedup of a measured run over the stages one after the other. */
    double speedUp(double seconds) {
      return sum() / seconds;
    }

    /** The share of the ideal speedup that a measured run reaches. */
    double ofIdeal(double seconds) {
      return speedUp(seconds) / ideal();
    }
  }

  /**
   * The targets of {@code overlap}.
   *
   * @param skipped why nothing was measured
   */
  record OverlapChecks(OverlapFigures figures, Optional<String> skipped) {

    private static final double OF_IDEAL = 0.95;
    private static final double OVER_SAME_THREAD = 2.5;

    List<Check> all() {
      return List.of(
          ofIdeal(Overlaps.PIPELINE),
          ofIdeal(Overlaps.STAGED),
          atLeast(
              "balanced: seconds of %s / %s".formatted(Overlaps.SAME_THREAD, Overlaps.PIPELINE),
              figures.overSameThread(Balance.BALANCED, Overlaps.PIPELINE),
              OVER_SAME_THREAD));
    }

    private Check ofIdeal(String method) {
      return atLeast(
          "balanced: share of its ideal, " + method,
          figures.ofIdeal(Balance.BALANCED, method),
          OF_IDEAL);
    }

    private Check atLeast(String name, Optional<Double> value, double bound) {
      return value
          .filter(v -> skipped.isEmpty())
          .map(v -> Check.atLeast(name, v, bound))
          .orElseGet(() -> Check.skipped(name, ">=", bound, skipped.orElse("not measured")));
    }
  }
}
