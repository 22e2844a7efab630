package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.nio.file.Path;
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
}
