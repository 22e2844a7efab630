package io.mooring.benchmarks.report.page;

import io.mooring.benchmarks.cli.IoErrorText;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Json;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** A folder with report.json, and the pictures of it: runs.csv and report.html. */
public record ReportFolder(Path path) {

  /**
   * Writes all three files, data first. A full disk or a lost folder is one clear line, which names
   * the folder of temporary files that has the report instead: what took hours is not lost.
   */
  public void write(Report report) {
    try {
      writeAll(path, report);
    } catch (IOException e) {
      String failure = failure(e);
      throw UserError.failure(
          elsewhere(report).map(kept -> failure + "; it is in " + kept).orElse(failure));
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
}
