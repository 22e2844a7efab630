package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Run;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The metric of a run that is compared.
 *
 * @param name {@code seconds}, or the name of one of the run's metrics
 * @param higherIsBetter false where less is better
 */
record Metric(String name, boolean higherIsBetter) {

  /** Wall-clock seconds; of runs that count operations, seconds of one operation. */
  static final String SECONDS = "seconds";

  /** The figure of a run; empty when the run has none. */
  Optional<Double> of(Run run) {
    if (name.equals(SECONDS)) {
      return Optional.of(run.seconds() / Math.max(1, run.operations()));
    }
    return Optional.ofNullable(run.metrics().get(name)).map(Long::doubleValue);
  }

  /** The figure of a run that has one. */
  double figure(Run run) {
    return of(run).orElseThrow();
  }

  /** The names of all metrics of these runs, seconds first. */
  static List<String> names(Stream<Run> runs) {
    return Stream.concat(
            Stream.of(SECONDS), runs.flatMap(run -> run.metrics().keySet().stream()).sorted())
        .distinct()
        .toList();
  }
}
