package io.mooring.benchmarks.measure;

import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.cli.Progress;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.RecordedArguments;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.report.table.ReportTables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Measures to the end, or to Ctrl-C, and writes the report either way.
 *
 * @param command name of the command
 * @param arguments the whole command line
 * @param environment where it runs
 * @param folder for the report
 * @param recording where rows and problems go
 * @param about what only this command knows
 */
public record MeasuredRun(
    String command,
    List<String> arguments,
    Environment environment,
    ReportFolder folder,
    Recording recording,
    About about) {

  /**
   * The part of a run that only its command knows.
   *
   * @param configuration its settings; asked for at the end, so that it may hold what was found
   * @param bases arms against which others are compared, best first
   * @param checks what issues ask of it
   * @param text what is printed beside the tables of every report; may be empty
   * @param kill ends its processes at once
   */
  public record About(
      Supplier<Map<String, Object>> configuration,
      List<String> bases,
      Function<Summary, List<Check>> checks,
      Function<Summary, String> text,
      Runnable kill) {}

  /**
   * Does the work.
   *
   * @param rows about how many rows it adds
   * @return the exit code: 0 when every measurement was made, else 1
   */
  public int call(int rows, Runnable work) {
    String startedAt = Instant.now().toString();
    InterruptHook.during(() -> measure(rows, work), () -> interrupted(startedAt));
    write(Report.COMPLETE, startedAt);
    return recording.problems().isEmpty() ? 0 : 1;
  }

  private void measure(int rows, Runnable work) {
    try (Progress progress = Progress.of(command, rows)) {
      recording.onRun(run -> progress.step(label(run)));
      work.run();
    }
  }

  private void interrupted(String startedAt) {
    about.kill().run();
    System.err.println("\nInterrupted: keeping what was measured");
    try {
      write(Report.INTERRUPTED, startedAt);
    } catch (UserError e) {
      System.err.println("error: " + e.getMessage());
    }
  }

  private void write(String status, String startedAt) {
    List<Run> runs = recording.runs();
    Summary summary = Summary.of(runs, about.bases());
    Report report =
        new Report(
            Report.SCHEMA,
            command,
            RecordedArguments.recorded(arguments),
            status,
            startedAt,
            environment,
            about.configuration().get(),
            runs,
            summary,
            about.checks().apply(summary),
            recording.notes());
    folder.write(report);
    System.out.println(ReportTables.console(report) + about.text().apply(summary));
    System.out.println("Report: " + folder.path().resolve("report.html"));
  }

  private static String label(Run run) {
    return run.query() + ", " + run.arm() + ", " + run.tasks() + " at once";
  }
}
