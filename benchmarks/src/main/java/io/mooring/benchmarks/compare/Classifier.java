package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Difference;
import io.mooring.benchmarks.report.Difference.Verdict;
import io.mooring.benchmarks.stats.Holm;
import io.mooring.benchmarks.stats.LogRatio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Judges all contests together: each of the two questions, whether a query differs and whether it
 * is the same but for the margin, is corrected over all queries.
 */
record Classifier(double alpha, double margin) {

  /** Regressions first and the worst of them at the top, then improvements, the rest by name. */
  List<Difference> of(List<QueryComparison> contests) {
    List<QueryComparison> tested = contests.stream().filter(c -> c.ratio().isPresent()).toList();
    List<LogRatio> ratios = tested.stream().map(c -> c.ratio().orElseThrow()).toList();
    List<Double> p = Holm.adjusted(ratios.stream().map(LogRatio::pValue).toList());
    List<Double> same = Holm.adjusted(ratios.stream().map(r -> r.equivalenceP(margin)).toList());
    List<Difference> all = new ArrayList<>();
    for (int i = 0; i < tested.size(); i++) {
      all.add(judged(tested.get(i), ratios.get(i), p.get(i), same.get(i), alpha / tested.size()));
    }
    contests.stream().filter(c -> c.ratio().isEmpty()).map(Classifier::untested).forEach(all::add);
    all.sort(Comparator.comparing(Difference::verdict).thenComparingDouble(Classifier::rank));
    return List.copyOf(all);
  }

  /** A change that is surely smaller than the margin is none, however sure its direction is. */
  private Verdict verdict(LogRatio ratio, double p, double same) {
    if (same < alpha) {
      return Verdict.EQUIVALENT;
    }
    if (p >= alpha) {
      return Verdict.UNDECIDED;
    }
    return ratio.log() < 0 ? Verdict.REGRESSION : Verdict.IMPROVEMENT;
  }

  /** {@code strictest}: the level of Holm's first step, which a change of one query alone meets. */
  private Difference judged(
      QueryComparison c, LogRatio ratio, double p, double same, double strictest) {
    return new Difference(
        c.key().query(),
        c.key().tasks(),
        c.armA(),
        c.armB(),
        c.paired() ? "paired" : "Welch",
        c.unit(),
        c.a().count(),
        c.b().count(),
        ratio.ratio(),
        ratio.low(alpha),
        ratio.high(alpha),
        ratio.pValue(),
        p,
        same,
        ratio.detectable(strictest, CompareOptions.POWER),
        verdict(ratio, p, same));
  }

  private static Difference untested(QueryComparison c) {
    return new Difference(
        c.key().query(),
        c.key().tasks(),
        c.armA(),
        c.armB(),
        "none",
        c.unit(),
        c.a().count(),
        c.b().count(),
        c.plainRatio(),
        null,
        null,
        null,
        null,
        null,
        null,
        Verdict.UNDECIDED);
  }

  /** The worst regression and the best improvement come first. */
  private static double rank(Difference difference) {
    return switch (difference.verdict()) {
      case REGRESSION -> difference.ratio();
      case IMPROVEMENT -> -difference.ratio();
      case EQUIVALENT, UNDECIDED -> 0;
    };
  }
}
