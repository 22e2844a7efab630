package io.mooring.benchmarks.report;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A folder with report.json, and the pictures of it: runs.csv and report.html. */
public record ReportFolder(Path path) {

  /** Writes all three files, data first; a full disk or a lost folder is one clear line. */
  public void write(Report report) {
    try {
      Json.REPORT.writeValue(path.resolve("report.json").toFile(), report);
      RunsCsv.write(path.resolve("runs.csv"), report.runs());
      Files.writeString(path.resolve("report.html"), new HtmlPage(report).html());
    } catch (IOException e) {
      throw UserError.failure("cannot write the report to " + path + ": " + e.getMessage());
    }
  }

  /** Reads report.json back. */
  public Report read() {
    Path file = path.resolve("report.json");
    try {
      return Json.REPORT.readValue(Files.readAllBytes(file), Report.class);
    } catch (NoSuchFileException e) {
      throw UserError.usage("no report.json in " + path);
    } catch (IOException e) {
      throw UserError.usage(
          "cannot read " + file + ": " + e.getMessage().lines().findFirst().orElse(""));
    }
  }
}
