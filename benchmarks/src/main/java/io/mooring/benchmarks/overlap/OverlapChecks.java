package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.report.Check;
import java.util.List;
import java.util.Optional;

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
