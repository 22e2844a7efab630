package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuredRun;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.StageBreakdown;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.store.ShapedStore;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs a plan to its end, or to Ctrl-C, and writes the report either way. */
final class ScanRun {

  /** Noted before the first run, or as soon as it is known. */
  static final String NO_GPU = "No usable GPU: measuring the CPU path";

  private final ScanSession session;
  private final Environment environment;
  private final ReportFolder folder;
  private final List<String> arguments;

  ScanRun(
      ScanSession session, Environment environment, ReportFolder folder, List<String> arguments) {
    this.session = session;
    this.environment = environment;
    this.folder = folder;
    this.arguments = arguments;
  }

  /** Measures and writes the report; returns 0 when all results were right, else 1. */
  int call() {
    MeasuredRun.About about =
        new MeasuredRun.About(
            session::configuration, bases(), this::checks, summary -> "", session.workers()::kill);
    MeasuredRun run =
        new MeasuredRun("scan", arguments, environment, folder, session.recording(), about);
    int exitCode = run.call(session.plan().totalRuns(), this::measure);
    printBottlenecks();
    advice().map(Advice::note).ifPresent(System.out::println);
    return exitCode;
  }

  private void measure() {
    for (int tasks : session.plan().tasks()) {
      Runnable rounds =
          session.plan().exclusive()
              ? new ExclusiveRounds(session, tasks)
              : new AlternatingRounds(session, tasks);
      rounds.run();
    }
    noteEngine();
    advice().ifPresent(advice -> session.recording().note(advice.note()));
  }

  private Optional<Advice> advice() {
    return Advice.of(session.recording().runs(), session.plan().arms());
  }

  private void noteEngine() {
    List<Run> runs = session.recording().runs();
    boolean onGpu = runs.stream().anyMatch(run -> run.engine().equals("gpu"));
    if (!onGpu && !environment.gpus().isEmpty()) {
      session.recording().note(NO_GPU + " (the workers' logs say why)");
    }
  }

  /** Prints the stage with the largest share of each query, at the most tasks. */
  private void printBottlenecks() {
    int most = Collections.max(session.plan().tasks());
    String bottlenecks =
        StageBreakdown.of(session.recording().runs()).stream()
            .filter(cell -> cell.tasks() == most && cell.arm().startsWith(Arm.POOL))
            .map(cell -> cell.query() + " (" + cell.arm() + "): " + cell.stages().bottleneck())
            .collect(Collectors.joining(", "));
    if (!bottlenecks.isEmpty()) {
      System.out.println("Bottlenecks at " + most + " tasks: " + bottlenecks);
    }
  }

  private List<Check> checks(Summary summary) {
    return new ScanChecks(
            session.plan().suite(),
            session.recording().runs(),
            summary,
            session.plan().tasks(),
            session.plan().arms(),
            session.store().map(ShapedStore::shape),
            session.recording().problems())
        .all();
  }

  /** Arms that the others are compared with: no pool, or else the first arm. */
  private List<String> bases() {
    return List.of(Arm.BASE, session.plan().arms().get(0).name());
  }
}
