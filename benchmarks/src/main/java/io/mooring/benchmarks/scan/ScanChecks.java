package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.util.List;
import java.util.stream.Stream;

/** What issues ask of {@code scan}, held against what was measured. */
record ScanChecks(List<Run> runs, Summary summary, List<Integer> tasks, List<String> problems) {

  private static final double POOL_SPEEDUP = 3;

  /** One check for every figure that an issue names. */
  List<Check> all() {
    return Stream.of(equalResults(), poolSpeedup()).toList();
  }

  private Check equalResults() {
    String name = "runs that failed or differ from Spark's CPU reader";
    String first = problems.isEmpty() ? "" : problems.get(0);
    return Check.atMost(name, problems.size(), 0, first);
  }

  private Check poolSpeedup() {
    int most = tasks.get(tasks.size() - 1);
    String name = "sum of every column: no-pool / pool at %d tasks".formatted(most);
    if (runs.stream().noneMatch(run -> run.engine().equals("gpu"))) {
      return Check.skipped(name, ">=", POOL_SPEEDUP, "no usable GPU: the CPU path was measured");
    }
    return summary
        .comparison(ScanQueries.SUM, Arm.POOL, most)
        .map(c -> Check.atLeast(name, c.ratio(), POOL_SPEEDUP))
        .orElseGet(() -> Check.skipped(name, ">=", POOL_SPEEDUP, "not both arms were measured"));
  }
}
