package io.mooring.benchmarks.report.page;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.mooring.benchmarks.cli.IoErrorText;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Json;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportReader;
import io.mooring.benchmarks.report.Run;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A folder with report.json, and the pictures of it: runs.csv and report.html. */
public record ReportFolder(Path path) {

  /**
   * Writes all three files, data first. Where the folder cannot be written, the report goes to a
   * new folder of temporary files, so that hours of measurements are not lost.
   *
   * @throws UserError with one line, which names that folder, when this folder cannot be written
   */
  public void write(Report report) {
    try {
      writeAll(path, report);
    } catch (IOException e) {
      String failure = failure(e);
      throw UserError.failure(
          elsewhere(report).map(folder -> failure + "; it is in " + folder).orElse(failure));
    }
  }

  /** Writes runs.csv and report.html again; report.json stays as it was recorded. */
  public void draw(Report report) {
    try {
      drawAll(path, report);
    } catch (IOException e) {
      throw UserError.failure(failure(e));
    }
  }

  /** Reads report.json back, whichever version of the harness wrote it. */
  public Report read() {
    return ReportReader.read(path);
  }

  private static void writeAll(Path folder, Report report) throws IOException {
    replace(folder.resolve("report.json"), Json.REPORT.writeValueAsString(report));
    drawAll(folder, report);
  }

  private static void drawAll(Path folder, Report report) throws IOException {
    replace(folder.resolve("runs.csv"), RunsCsv.text(report.runs()));
    replace(folder.resolve("report.html"), new HtmlPage(report).html());
  }

  /** The file is either what it was before or all of the new text, also on a full disk. */
  private static void replace(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private String failure(IOException e) {
    return "cannot write the report to " + path + ": " + IoErrorText.of(e);
  }

  private static Optional<Path> elsewhere(Report report) {
    try {
      Path folder = Files.createTempDirectory("mooring-report-");
      writeAll(folder, report);
      return Optional.of(folder);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** runs.csv: one row a run, one column more for each metric that any run has. */
  private static final class RunsCsv {

    private static final List<String> COLUMNS =
        List.of(
            "query",
            "arm",
            "tasks",
            "process",
            "round",
            "warm_up",
            "engine",
            "seconds",
            "bytes",
            "operations",
            "started_at");

    private RunsCsv() {}

    static String text(List<Run> runs) throws IOException {
      Set<String> metrics = new TreeSet<>();
      runs.forEach(run -> metrics.addAll(run.metrics().keySet()));
      StringWriter text = new StringWriter();
      try (CsvWriter csv = CsvWriter.builder().build(text)) {
        List<String> header = new ArrayList<>(COLUMNS);
        metrics.forEach(name -> header.add("metric: " + name));
        csv.writeRecord(header);
        runs.forEach(run -> csv.writeRecord(row(run, metrics)));
      }
      return text.toString();
    }

    private static List<String> row(Run run, Set<String> metrics) {
      List<String> row = new ArrayList<>(COLUMNS.size() + metrics.size());
      row.add(run.query());
      row.add(run.arm());
      row.add(Integer.toString(run.tasks()));
      row.add(Integer.toString(run.process()));
      row.add(Integer.toString(run.round()));
      row.add(Boolean.toString(run.warmUp()));
      row.add(run.engine());
      row.add(Double.toString(run.seconds()));
      row.add(Long.toString(run.bytes()));
      row.add(Long.toString(run.operations()));
      row.add(run.startedAt());
      for (String name : metrics) {
        Long value = run.metrics().get(name);
        row.add(value == null ? "" : value.toString());
      }
      return row;
    }
  }
}
