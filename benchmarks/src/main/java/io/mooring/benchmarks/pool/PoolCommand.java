package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.OutputFolder;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
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
    footer = "Exits 0 when every measurement was made, else 1; the checks change nothing in that.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class PoolCommand implements Callable<Integer> {

  /** Said once, before the first run. */
  static final String NO_GPU = "No usable GPU: only pageable memory and malloc are measured";

  /** Said where the harness comes without a trace and the user gives none. */
  static final String NO_TRACE = "no trace recorded: scan --trace-out FILE writes one";

  @Mixin private PoolOptions options;
  @Mixin private OutputFolder out;
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    options.check();
    if (HarnessHome.poolClasses().isEmpty()) {
      throw UserError.usage(
          "no Mooring jar: start through benchmarks/run, or name one in MOORING_JAR");
    }
    ReportFolder folder = new ReportFolder(out.prepare("pool"));
    Path logs = folder.path().resolve("logs");
    Environment environment =
        Environment.probe(HarnessHome.folder().getParent(), HarnessHome.jar());
    boolean gpu = !environment.gpus().isEmpty();
    Recording recording = new Recording();
    if (!gpu) {
      recording.note(NO_GPU);
      System.err.println(NO_GPU);
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

  private List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }
}
