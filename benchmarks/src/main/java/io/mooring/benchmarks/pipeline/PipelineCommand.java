package io.mooring.benchmarks.pipeline;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.cli.OutputFolder;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.RecordedArguments;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.report.table.ReportTables;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.WorkerCommand;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./benchmarks/run pipeline}: files into GPU memory through Mooring without Spark, beside
 * what files, link and decoder each give alone.
 */
@Command(
    name = "pipeline",
    description = "Reads Parquet into GPU memory without Spark, beside the limits of each stage.",
    footer = "Exits 0 when every step ran, else 1; without a GPU only the reading is measured.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class PipelineCommand implements Callable<Integer> {

  @Mixin private PipelineOptions options;
  @Mixin private OutputFolder out;
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    options.check();
    String startedAt = Instant.now().toString();
    ReportFolder folder = new ReportFolder(out.prepare("pipeline"));
    Environment environment =
        Environment.probe(HarnessHome.folder().getParent(), HarnessHome.jar());
    Workers workers = new Workers(folder.path().resolve("logs"));
    Recording recording = new Recording();
    List<Integer> tasks = options.tasks(environment.cores());
    try {
      Map<String, List<String>> sets = new PipelineDataSets(options, environment, workers).files();
      try (WorkerProcess worker =
          workers.launch("pipeline", WorkerCommand.plain(options.heap).withMooring())) {
        PipelineRun run = new PipelineRun(options, tasks, worker, recording);
        InterruptHook.during(
            () -> measure(run, sets, workers),
            () -> {
              workers.kill();
              System.err.println("\nInterrupted: keeping what was measured");
              try {
                write(folder, environment, recording, run, startedAt, Report.INTERRUPTED);
              } catch (UserError e) {
                System.err.println("error: " + e.getMessage());
              }
            });
        write(folder, environment, recording, run, startedAt, Report.COMPLETE);
      }
    } catch (ProcessException e) {
      throw UserError.failure(e.getMessage());
    } finally {
      workers.kill();
    }
    return recording.problems().isEmpty() ? 0 : 1;
  }

  private static void measure(PipelineRun run, Map<String, List<String>> sets, Workers workers) {
    try {
      run.run(sets);
    } catch (ProcessException.Lost e) {
      InterruptHook.waitIfStopping(workers::isStopping);
      throw e;
    }
  }

  private void write(
      ReportFolder folder,
      Environment environment,
      Recording recording,
      PipelineRun run,
      String startedAt,
      String status) {
    List<Integer> tasks = options.tasks(environment.cores());
    Summary summary =
        Summary.of(recording.runs(), List.of()); // seconds of different bytes do not compare
    Report report =
        new Report(
            Report.SCHEMA,
            "pipeline",
            RecordedArguments.recorded(spec.root().commandLine().getParseResult().originalArgs()),
            status,
            startedAt,
            environment,
            configuration(tasks, run.planned()),
            recording.runs(),
            summary,
            checks(recording, summary, run.planned(), tasks),
            recording.notes());
    folder.write(report);
    System.out.println(ReportTables.console(report));
    System.out.println("Report: " + folder.path().resolve("report.html"));
  }

  private List<Check> checks(
      Recording recording,
      Summary summary,
      Map<String, Reply.Planned> planned,
      List<Integer> tasks) {
    Map<String, Boolean> plain = new LinkedHashMap<>();
    planned.forEach((set, plan) -> plain.put(set, plan.plain()));
    return new PipelineChecks(
            recording.runs(), summary, plain, tasks, options.repeats, recording.problems())
        .all();
  }

  private Map<String, Object> configuration(
      List<Integer> tasks, Map<String, Reply.Planned> planned) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("tasks", tasks);
    all.put("rounds", options.rounds);
    all.put("warmup", options.warmup);
    all.put("repeat", options.repeats);
    all.put("heap", options.heap.text());
    all.put("settings", options.settings());
    all.put("sets", planned);
    return all;
  }
}
