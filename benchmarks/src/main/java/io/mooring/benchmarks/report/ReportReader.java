package io.mooring.benchmarks.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads what this or any earlier version of the harness wrote. */
public final class ReportReader {

  private ReportReader() {}

  /** The report in a folder or in a file; what cannot be read is one clear line. */
  public static Report read(Path folderOrFile) {
    Path file =
        Files.isDirectory(folderOrFile) ? folderOrFile.resolve("report.json") : folderOrFile;
    try {
      JsonNode tree = Json.REPORT.readTree(Files.readAllBytes(file));
      return Json.REPORT.treeToValue(Schema.current(tree), Report.class);
    } catch (NoSuchFileException e) {
      throw UserError.usage(
          Files.isDirectory(folderOrFile)
              ? "no report.json in " + folderOrFile
              : "no report: " + folderOrFile);
    } catch (UserError e) {
      throw UserError.usage("cannot read " + file + ": " + e.getMessage());
    } catch (IOException | RuntimeException e) {
      throw UserError.usage("cannot read " + file + ": " + firstLine(e));
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
