package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.Progress;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.report.Arguments;
import io.mooring.benchmarks.report.ConsoleTable;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportFolder;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.time.Instant;
import java.util.List;

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
    write(Report.COMPLETE);
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
    System.out.println(new ConsoleTable(report).text());
    System.out.println("Report: " + folder.path().resolve("report.html"));
  }

  private Report report(String status) {
    List<Run> runs = session.recording().runs();
    Summary summary = Summary.of(runs, Arm.BASE);
    List<String> problems = session.recording().problems();
    return new Report(
        Report.SCHEMA,
        "scan",
        Arguments.recorded(arguments),
        status,
        startedAt,
        environment,
        session.plan().configuration(),
        runs,
        summary,
        new ScanChecks(runs, summary, session.plan().tasks(), problems).all(),
        session.recording().notes());
  }

  private static String label(Run run) {
    return run.tasks() + " tasks, " + run.query() + ", " + run.arm();
  }
}
