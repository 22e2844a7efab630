package io.mooring.benchmarks.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.stats.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads what this or any earlier version of the harness wrote. */
public final class ReportReader {

  private ReportReader() {}

  /**
   * Reads the report in a folder or in a file.
   *
   * @throws UserError with one line, when there is no report or it cannot be read
   */
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

  /** Versions of report.json: brings what an earlier version of the harness wrote to today's. */
  private static final class Schema {

    private static final String VERSION = "schema";

    /** Step N brings version N + 1 to version N + 2. */
    private static final List<Consumer<ObjectNode>> STEPS =
        List.of(Schema::toVersion2, Schema::toVersion3, Schema::toVersion4);

    private Schema() {}

    /** Brings a report to version {@link Report#SCHEMA}; refuses later ones and other files. */
    static JsonNode current(JsonNode report) {
      int version = report.path(VERSION).asInt();
      if (!(report instanceof ObjectNode object) || version < 1) {
        throw UserError.usage("it has no schema version: it is no report of this harness");
      }
      if (version > Report.SCHEMA) {
        throw UserError.usage(
            "a later version of the harness wrote it (schema %d; this one reads up to %d)"
                .formatted(version, Report.SCHEMA));
      }
      STEPS.subList(version - 1, STEPS.size()).forEach(step -> step.accept(object));
      return object.put(VERSION, Report.SCHEMA);
    }

    /** The first reports had neither operations nor metrics in their cells. */
    private static void toVersion2(ObjectNode report) {
      for (JsonNode run : report.withArray("runs")) {
        if (run.path("operations").isMissingNode()) {
          ((ObjectNode) run).put("operations", 0L);
        }
      }
      for (JsonNode cell : report.withObject("summary").withArray("cells")) {
        if (cell.path("metrics").isMissingNode()) {
          ((ObjectNode) cell).putObject("metrics");
        }
      }
    }

    /** Runs did not say their process: it was one for each arm, but with one JVM for each round. */
    private static void toVersion3(ObjectNode report) {
      boolean each = report.path("configuration").path("jvms").asText().equals("one at a time");
      for (JsonNode run : report.withArray("runs")) {
        ((ObjectNode) run).put("process", each ? run.path("round").asInt() : 1);
      }
      report.path("differences").forEach(d -> rename(d, "runsOfA", "samplesOfA"));
      report.path("differences").forEach(d -> rename(d, "runsOfB", "samplesOfB"));
      report.path("selfChecks").forEach(check -> rename(check, "runs", "samples"));
    }

    /** Intervals were the arithmetic mean's, of two runs too, and could reach below 0. */
    private static void toVersion4(ObjectNode report) {
      Map<List<String>, List<Double>> seconds = new HashMap<>();
      for (JsonNode run : report.withArray("runs")) {
        if (!run.path("warmUp").asBoolean()) {
          seconds
              .computeIfAbsent(cell(run), c -> new ArrayList<>())
              .add(run.path("seconds").asDouble());
        }
      }
      for (JsonNode cell : report.withObject("summary").withArray("cells")) {
        if (cell.path("query").asText().startsWith("first buffer, ")) {
          ((ObjectNode) cell)
              .put("bytesPerSecond", 0.0); // one buffer's time is no rate of a pool's
        }
        List<Double> measured = seconds.get(cell(cell));
        if (measured != null) {
          ((ObjectNode) cell).set("seconds", Json.REPORT.valueToTree(Sample.of(measured)));
        }
      }
    }

    private static List<String> cell(JsonNode of) {
      return Stream.of("query", "arm", "tasks").map(key -> of.path(key).asText()).toList();
    }

    /** Renames a key of a time when every sample was a run. */
    private static void rename(JsonNode compared, String from, String to) {
      ObjectNode row = (ObjectNode) compared;
      row.set(to, row.remove(from));
      row.put("sample", Samples.Unit.RUN.toString());
    }
  }
}
