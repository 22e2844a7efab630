package io.mooring.benchmarks.pipeline;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuredRun;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.WorkerCommand;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./benchmarks/run pipeline}: files into GPU memory through Mooring without Spark, beside
 * what files, link and decoder each give alone.
 */
@Command(
    name = "pipeline",
    description = "Reads Parquet into GPU memory without Spark, beside the limits of each stage.",
    footer = "Exits 0 when every step ran, else 1; without a GPU only the reading is measured.")
public final class PipelineCommand extends MeasuringCommand {

  @Mixin private PipelineOptions options;

  @Override
  public Integer call() {
    options.check();
    ReportFolder folder = prepareFolder();
    Environment environment =
        Environment.probe(HarnessHome.folder().getParent(), HarnessHome.jar());
    Workers workers = new Workers(folder.path().resolve("logs"));
    Recording recording = new Recording();
    List<Integer> tasks = options.tasks(environment.cores());
    try {
      Map<String, List<String>> sets = new PipelineDataSets(options, environment, workers).files();
      try (WorkerProcess worker =
          workers.launch(name(), WorkerCommand.plain(options.heap).withMooring())) {
        PipelineRun run = new PipelineRun(options, tasks, worker, recording);
        MeasuredRun.About about =
            new MeasuredRun.About(
                () -> configuration(tasks, run.planned()),
                List.of(), // seconds of different bytes do not compare
                summary -> checks(recording, summary, run.planned(), tasks),
                summary -> "",
                workers::kill);
        return new MeasuredRun(name(), arguments(), environment, folder, recording, about)
            .call(run.plan(sets), () -> measure(run, workers));
      }
    } catch (ProcessException e) {
      throw UserError.failure(e.getMessage());
    } finally {
      workers.kill();
    }
  }

  private static void measure(PipelineRun run, Workers workers) {
    try {
      run.measure();
    } catch (ProcessException.Lost e) {
      InterruptHook.waitIfStopping(workers::isStopping);
      throw e;
    }
  }

  private List<Check> checks(
      Recording recording,
      Summary summary,
      Map<String, Reply.Planned> planned,
      List<Integer> tasks) {
    Map<String, Boolean> plain = new LinkedHashMap<>();
    planned.forEach((set, plan) -> plain.put(set, plan.plain()));
    return new PipelineChecks(
            recording.runs(),
            summary,
            plain,
            tasks,
            options.repeats,
            options.withCache(),
            recording.problems())
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
