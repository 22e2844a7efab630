package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Measured against ideal, by medians of the same run. */
record OverlapFigures(Summary summary) {

  /** Median seconds of a method. */
  Optional<Double> seconds(Balance balance, String method) {
    return median(balance.text(), method);
  }

  /** The stages of a method that has some; they were measured alone. */
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
}
