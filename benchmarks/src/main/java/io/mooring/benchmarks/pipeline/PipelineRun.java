package io.mooring.benchmarks.pipeline;

import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs every step on every data set in one process, the steps of a round one after the other. */
final class PipelineRun {

  /** The worker's plan of each data set, by name. */
  private final Map<String, Reply.Planned> planned = new LinkedHashMap<>();

  private final PipelineOptions options;
  private final List<Integer> tasks;
  private final WorkerProcess worker;
  private final Recording recording;
  private Map<String, List<String>> sets = Map.of();

  PipelineRun(
      PipelineOptions options, List<Integer> tasks, WorkerProcess worker, Recording recording) {
    this.options = options;
    this.tasks = tasks;
    this.worker = worker;
    this.recording = recording;
  }

  Map<String, Reply.Planned> planned() {
    return planned;
  }

  /**
   * Has the worker plan all data sets.
   *
   * @return how many runs there will be
   */
  int plan(Map<String, List<String>> sets) {
    this.sets = sets;
    sets.forEach((set, paths) -> planned.put(set, open(paths)));
    planned.values().stream()
        .map(Reply.Planned::gpuProblem)
        .filter(problem -> !problem.isEmpty())
        .forEach(
            problem ->
                recording.note("Only reading is measured, the rest needs a GPU: " + problem));
    int steps = planned.values().stream().mapToInt(plan -> steps(plan).size()).sum();
    return steps * tasks.size() * (options.rounds + options.warmup);
  }

  /** Measures all data sets. */
  void measure() {
    sets.forEach(this::oneSet);
  }

  private Reply.Planned open(List<String> paths) {
    return worker.ask(new Request.OpenFiles(paths, options.settings()), Reply.Planned.class);
  }

  private List<PipelineSteps.Timed> steps(Reply.Planned plan) {
    return PipelineSteps.all(plan.gpuProblem().isEmpty(), options.repeats, options.withCache());
  }

  private void oneSet(String set, List<String> paths) {
    List<PipelineSteps.Timed> steps = steps(open(paths));
    for (int count : tasks) {
      for (int round = 1 - options.warmup; round <= options.rounds; round++) {
        for (PipelineSteps.Timed step : steps) {
          oneStep(set, step, count, round);
        }
      }
    }
  }

  /** Runs one step once and records the row; a round below 1 is a warm-up. */
  private void oneStep(String set, PipelineSteps.Timed step, int count, int round) {
    String startedAt = Instant.now().toString();
    try {
      Reply.Result result =
          worker.ask(new Request.RunStep(step.step(), count, step.repeat()), Reply.Result.class);
      recording.add(
          new Run(
              set,
              step.name(),
              count,
              1,
              round > 0 ? round : round + options.warmup,
              round < 1,
              result.engine(),
              result.seconds(),
              result.metrics().get("bytes"),
              0,
              startedAt,
              result.metrics()));
    } catch (ProcessException.Failed e) {
      recording.problem("%s, %s, %d tasks: %s".formatted(set, step.name(), count, e.reason()));
    }
  }
}
