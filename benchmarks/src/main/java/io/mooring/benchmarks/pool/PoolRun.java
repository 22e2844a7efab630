package io.mooring.benchmarks.pool;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the steps to their end, or to Ctrl-C, and writes the report either way. */
final class PoolRun {

  /** Against whom arms are compared, where it was measured: the driver, else Java's pool. */
  private static final List<String> BASES =
      List.of(PoolArm.HOST_ALLOC, PoolArm.PINNED_MEMORY_POOL, PoolArm.MALLOC);

  private final PoolSession session;
  private final Optional<RecordedTrace> trace;
  private final Environment environment;
  private final ReportFolder folder;
  private final List<String> arguments;
  private final String startedAt = Instant.now().toString();
  private final Thread onInterrupt = new Thread(this::interrupted, "report");

  PoolRun(
      PoolSession session,
      Optional<RecordedTrace> trace,
      Environment environment,
      ReportFolder folder,
      List<String> arguments) {
    this.session = session;
    this.trace = trace;
    this.environment = environment;
    this.folder = folder;
    this.arguments = arguments;
  }

  /** The exit code: 0 when every measurement was made, else 1. */
  int call() {
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    List<PoolStep> steps = steps();
    int rows = steps.stream().mapToInt(PoolStep::rows).sum();
    try (Progress progress = Progress.of("pool", rows)) {
      session.recording().onRun(run -> progress.step(label(run)));
      steps.forEach(PoolStep::run);
    }
    Runtime.getRuntime().removeShutdownHook(onInterrupt);
    write(Report.COMPLETE);
    return session.recording().problems().isEmpty() ? 0 : 1;
  }

  private List<PoolStep> steps() {
    return List.of(
        new StartUps(session),
        new Rates(session),
        new Copies(session),
        new TraceReplays(session, trace),
        new MixedRuns(session));
  }

  private void interrupted() {
    session.kill();
    System.err.println("\nInterrupted: keeping what was measured");
    try {
      write(Report.INTERRUPTED);
    } catch (UserError e) {
      System.err.println("error: " + e.getMessage());
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
    Summary summary = Summary.of(runs, BASES);
    return new Report(
        Report.SCHEMA,
        "pool",
        Arguments.recorded(arguments),
        status,
        startedAt,
        environment,
        configuration(),
        runs,
        summary,
        new PoolChecks(session.plan(), summary, trace.isPresent()).all(),
        session.recording().notes());
  }

  private Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>(session.plan().configuration());
    all.put("trace", trace.map(RecordedTrace::name).orElse("none"));
    return all;
  }

  private static String label(Run run) {
    return run.query() + ", " + run.arm() + ", " + run.tasks() + " threads";
  }
}
