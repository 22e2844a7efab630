package io.mooring.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.mooring.benchmarks.env.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Everything that one command measured; report.json holds exactly this.
 *
 * @param schema version of this layout, {@link #SCHEMA}; see benchmarks/README.md
 * @param command name of the command, for instance {@code scan}
 * @param arguments the command's arguments as given
 * @param status {@code complete}, or {@code interrupted} when it was stopped before the last run
 * @param startedAt ISO-8601 instant
 * @param environment the machine and the versions
 * @param configuration settings of the command, defaults included
 * @param runs every run, in the order in which they ran
 * @param summary figures computed from the runs
 * @param checks what was asked of this command, and whether it holds
 * @param differences of {@code compare}: A against B, query by query; else empty
 * @param selfChecks of {@code compare --self-check}: runs against themselves; else empty
 * @param notes what a reader has to know, one sentence each: failures, differences, fallbacks
 */
public record Report(
    int schema,
    String command,
    List<String> arguments,
    String status,
    String startedAt,
    Environment environment,
    Map<String, Object> configuration,
    List<Run> runs,
    Summary summary,
    List<Check> checks,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Difference> differences,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SelfCheck> selfChecks,
    List<String> notes) {

  /** The version that this code writes. Raised whenever a key changes its meaning or goes away. */
  public static final int SCHEMA = 4;

  /** A report that ended as planned. */
  public static final String COMPLETE = "complete";

  /** A report that was stopped before its last run. */
  public static final String INTERRUPTED = "interrupted";

  /** Replaces the lists that report.json omits, which Jackson reads as null, with empty ones. */
  public Report {
    differences = differences == null ? List.of() : differences;
    selfChecks = selfChecks == null ? List.of() : selfChecks;
  }

  /** A report of measurements: nothing is compared but the arms of its summary. */
  public Report(
      int schema,
      String command,
      List<String> arguments,
      String status,
      String startedAt,
      Environment environment,
      Map<String, Object> configuration,
      List<Run> runs,
      Summary summary,
      List<Check> checks,
      List<String> notes) {
    this(
        schema,
        command,
        arguments,
        status,
        startedAt,
        environment,
        configuration,
        runs,
        summary,
        checks,
        List.of(),
        List.of(),
        notes);
  }

  /** The notes to show: an unknown commit is the first of them. */
  public List<String> shownNotes() {
    List<String> all = new ArrayList<>();
    if (!environment.knowsCommit()) {
      all.add(Environment.NO_COMMIT);
    }
    all.addAll(notes);
    return all;
  }
}
