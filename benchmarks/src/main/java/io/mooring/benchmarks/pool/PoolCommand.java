package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuredRun;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./benchmarks/run pool}: the pool against {@code PinnedMemoryPool}, RMM's pool, libcudf's
 * own, cudaHostAlloc and malloc.
 */
@Command(
    name = "pool",
    description =
        "Times start-up, allocations, copies and a recorded trace: the pool and other allocators.",
    footer = "Exits 0 when every measurement was made, else 1; the checks change nothing in that.")
public final class PoolCommand extends MeasuringCommand {

  /** Noted where the harness comes without a trace and the user gives none. */
  static final String NO_TRACE = "no trace recorded: scan --trace-out FILE writes one";

  @Mixin private PoolOptions options;

  @Override
  public Integer call() {
    options.check();
    if (HarnessHome.poolClasses().isEmpty()) {
      throw UserError.usage(
          "no Mooring jar: start through benchmarks/run, or name one in MOORING_JAR");
    }
    ReportFolder folder = prepareFolder();
    Path logs = folder.path().resolve("logs");
    Environment environment =
        Environment.probe(HarnessHome.folder().getParent(), HarnessHome.jar());
    boolean gpu = !environment.gpus().isEmpty();
    Recording recording = new Recording();
    if (!gpu) {
      recording.note(PoolPlan.NO_GPU);
      System.err.println(PoolPlan.NO_GPU);
    }
    System.err.println("Building the native program");
    NativeProgram program =
        NativeProgram.build(gpu, logs.resolve("native-build.log"), recording::note);
    Optional<RecordedTrace> trace = RecordedTrace.find(options.ownTrace(), logs);
    if (trace.isEmpty()) {
      recording.note(NO_TRACE);
    }
    PoolPlan plan = options.plan(environment.memoryBytes(), gpu);
    try (PoolSession session = new PoolSession(plan, recording, program, logs)) {
      return new PoolRun(session, trace, environment, folder, arguments()).call();
    }
  }

  /** The steps of {@code pool}, and the report on them. */
  private record PoolRun(
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
}
