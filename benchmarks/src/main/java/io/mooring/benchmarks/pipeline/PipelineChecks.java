package io.mooring.benchmarks.pipeline;

import io.mooring.benchmarks.measure.MemoryChecks;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The targets of {@code pipeline}: its rate against the same run's link.
 *
 * @param plain whether each data set is uncompressed, by name
 */
record PipelineChecks(
    List<Run> runs,
    Summary summary,
    Map<String, Boolean> plain,
    List<Integer> tasks,
    List<Integer> repeats,
    List<String> problems) {

  private static final double COMPRESSED = 0.85;
  private static final double UNCOMPRESSED = 0.90;

  List<Check> all() {
    List<Check> checks = new ArrayList<>();
    String first = problems.isEmpty() ? "" : problems.get(0);
    checks.add(Check.atMost("steps that failed", problems.size(), 0, first));
    for (int repeat : repeats) {
      plain.forEach((set, isPlain) -> checks.add(rate(set, isPlain, repeat)));
    }
    checks.addAll(new MemoryChecks(runs, tasks).all());
    return checks;
  }

  private Check rate(String set, boolean isPlain, int repeat) {
    int most = tasks.get(tasks.size() - 1);
    String arm = PipelineSteps.pipelineArm(repeat);
    double bound = isPlain ? UNCOMPRESSED : COMPRESSED;
    String name = "%s: %s / link, encoded bytes a second at %d tasks".formatted(set, arm, most);
    var link = summary.cell(set, PipelineSteps.LINK, most);
    var pipeline = summary.cell(set, arm, most);
    if (link.isEmpty() || pipeline.isEmpty()) {
      return Check.skipped(name, ">=", bound, "no usable GPU, or a step failed");
    }
    return Check.atLeast(
        name, pipeline.get().bytesPerSecond() / link.get().bytesPerSecond(), bound);
  }
}
