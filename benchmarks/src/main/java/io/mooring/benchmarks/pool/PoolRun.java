package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuredRun;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The steps of {@code pool}, and the report on them. */
record PoolRun(
    PoolSession session,
    Optional<RecordedTrace> trace,
    Environment environment,
    ReportFolder folder,
    List<String> arguments) {

  /** Arms that others are compared with, as far as they were measured: cudaHostAlloc first. */
  private static final List<String> BASES =
      List.of(PoolArm.HOST_ALLOC, PoolArm.PINNED_MEMORY_POOL, PoolArm.MALLOC);

  /** The exit code: 0 when every measurement was made, else 1. */
  int call() {
    TraceReplays traces = new TraceReplays(session, trace, environment.memoryBytes());
    traces.open();
    List<PoolStep> steps = steps(traces);
    int rows = steps.stream().mapToInt(PoolStep::rows).sum();
    MeasuredRun.About about =
        new MeasuredRun.About(
            this::configuration,
            BASES,
            summary -> new PoolChecks(session.plan(), summary, trace.isPresent()).all(),
            summary -> "",
            session::kill);
    return new MeasuredRun("pool", arguments, environment, folder, session.recording(), about)
        .call(rows, () -> measure(steps));
  }

  private void measure(List<PoolStep> steps) {
    StartUps.touch(session);
    steps.forEach(PoolStep::run);
  }

  /** The steps, those first that users' scans feel. */
  private List<PoolStep> steps(TraceReplays traces) {
    return List.of(
        new FreshProcesses(session, traces),
        new AgedProcesses(session, traces),
        new StartUps(session),
        new Copies(session),
        new MixedRuns(session));
  }

  private Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>(session.plan().configuration());
    all.put("trace", trace.map(RecordedTrace::name).orElse("none"));
    return all;
  }
}
