package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.Progress;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.report.RecordedArguments;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.StageBreakdown;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.report.table.ReportTables;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs a plan to its end, or to Ctrl-C, and writes the report either way. */
final class ScanRun {

  private final ScanSession session;
  private final Environment environment;
  private final ReportFolder folder;
  private final List<String> arguments;
  private final String startedAt = Instant.now().toString();
  private final Thread onInterrupt = new Thread(this::interrupted, "report");

  ScanRun(
      ScanSession session, Environment environment, ReportFolder folder, List<String> arguments) {
    this.session = session;
    this.environment = environment;
    this.folder = folder;
    this.arguments = arguments;
  }

  /** The exit code: 0 when all results were right, else 1. */
  int call() {
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    ScanPlan plan = session.plan();
    try (Progress progress = Progress.of("scan", plan.totalRuns())) {
      session.recording().onRun(run -> progress.step(label(run)));
      for (int tasks : plan.tasks()) {
        Runnable step =
            plan.exclusive()
                ? new ExclusiveRounds(session, tasks)
                : new AlternatingRounds(session, tasks);
        step.run();
      }
    }
    Runtime.getRuntime().removeShutdownHook(onInterrupt);
    noteEngine();
    Optional<Advice> advice = Advice.of(session.recording().runs(), plan.arms());
    advice.ifPresent(a -> session.recording().note(a.note()));
    write(Report.COMPLETE);
    walls();
    advice.map(Advice::note).ifPresent(System.out::println);
    return session.recording().problems().isEmpty() ? 0 : 1;
  }

  private void interrupted() {
    session.workers().kill();
    System.err.println("\nInterrupted: keeping what was measured");
    try {
      write(Report.INTERRUPTED);
    } catch (UserError e) {
      System.err.println("error: " + e.getMessage());
    }
  }

  private void noteEngine() {
    List<Run> runs = session.recording().runs();
    boolean onGpu = runs.stream().anyMatch(run -> run.engine().equals("gpu"));
    if (!onGpu && !environment.gpus().isEmpty()) {
      session.recording().note(ScanCommand.NO_GPU + " (the workers' logs say why)");
    }
  }

  private void write(String status) {
    Report report = report(status);
    folder.write(report);
    System.out.println(ReportTables.console(report));
    System.out.println("Report: " + folder.path().resolve("report.html"));
  }

  /** One line: which stage the others waited for, with the most tasks. */
  private void walls() {
    int most = Collections.max(session.plan().tasks());
    String walls =
        StageBreakdown.of(session.recording().runs()).stream()
            .filter(cell -> cell.tasks() == most && cell.arm().startsWith(Arm.POOL))
            .map(cell -> cell.query() + " (" + cell.arm() + "): " + cell.stages().bottleneck())
            .collect(Collectors.joining(", "));
    if (!walls.isEmpty()) {
      System.out.println("The wall at " + most + " tasks: " + walls);
    }
  }

  private Report report(String status) {
    List<Run> runs = session.recording().runs();
    Summary summary = Summary.of(runs, bases());
    List<String> problems = session.recording().problems();
    return new Report(
        Report.SCHEMA,
        "scan",
        RecordedArguments.recorded(arguments),
        status,
        startedAt,
        environment,
        session.plan().configuration(),
        runs,
        summary,
        new ScanChecks(
                session.plan().suite(),
                runs,
                summary,
                session.plan().tasks(),
                session.plan().arms(),
                problems)
            .all(),
        session.recording().notes());
  }

  /** What the others are compared with: no pool, or else the first arm. */
  private List<String> bases() {
    return List.of(Arm.BASE, session.plan().arms().get(0).name());
  }

  private static String label(Run run) {
    return run.tasks() + " tasks, " + run.query() + ", " + run.arm();
  }
}
