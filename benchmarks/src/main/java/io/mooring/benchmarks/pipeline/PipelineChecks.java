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
    boolean withCache,
    List<String> problems) {

  private static final double COMPRESSED = 0.85;
  private static final double UNCOMPRESSED = 0.90;
  private static final double CACHED = 0.97;
  private static final double FILL = 0.98;

  List<Check> all() {
    List<Check> checks = new ArrayList<>();
    String first = problems.isEmpty() ? "" : problems.get(0);
    checks.add(Check.atMost("steps that failed", problems.size(), 0, first));
    for (int repeat : repeats) {
      plain.forEach(
          (set, isPlain) ->
              checks.add(
                  rate(
                      set,
                      PipelineSteps.pipelineArm(repeat),
                      PipelineSteps.LINK,
                      isPlain ? UNCOMPRESSED : COMPRESSED)));
    }
    if (withCache) {
      for (String set : plain.keySet()) {
        checks.add(rate(set, PipelineSteps.FILL, PipelineSteps.PIPELINE, FILL));
        checks.add(rate(set, PipelineSteps.CACHED, PipelineSteps.LINK, CACHED));
      }
    }
    checks.addAll(new MemoryChecks(runs, tasks).all());
    return checks;
  }

  private Check rate(String set, String arm, String against, double bound) {
    int most = tasks.get(tasks.size() - 1);
    String name =
        "%s: %s / %s, encoded bytes a second at %d tasks".formatted(set, arm, against, most);
    var base = summary.cell(set, against, most);
    var measured = summary.cell(set, arm, most);
    if (base.isEmpty() || measured.isEmpty()) {
      return Check.skipped(name, ">=", bound, "no usable GPU, or a step failed");
    }
    return Check.atLeast(
        name, measured.get().bytesPerSecond() / base.get().bytesPerSecond(), bound);
  }
}
