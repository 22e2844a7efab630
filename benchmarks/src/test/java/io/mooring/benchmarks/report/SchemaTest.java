package io.mooring.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.chart.LineChart;
import io.mooring.benchmarks.report.chart.ReportCharts;
import io.mooring.benchmarks.report.table.ReportTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {

  @TempDir private Path temporary;

  static List<Path> committed() throws IOException {
    try (Stream<Path> folders = Files.list(HarnessHome.folder().resolve("results"))) {
      return folders.filter(f -> Files.exists(f.resolve("report.json"))).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("committed")
  void everyCommittedReportIsRead(Path folder) throws IOException {
    JsonNode written = Json.REPORT.readTree(folder.resolve("report.json").toFile());
    Report report = ReportReader.read(folder);
    assertThat(report.schema()).isEqualTo(Report.SCHEMA);
    assertThat(report.runs()).hasSize(written.path("runs").size()).isNotEmpty();
    assertThat(report.runs()).allSatisfy(run -> assertThat(run.metrics()).isNotNull());
    assertThat(report.runs()).allMatch(run -> run.process() > 0);
    assertThat(report.summary().cells())
        .hasSize(written.path("summary").path("cells").size())
        .allSatisfy(cell -> assertThat(cell.metrics()).isNotNull());
    assertThat(ReportTables.figures(report)).isNotEmpty();
  }

  @Test
  void theFirstVersionIsAmongThem() throws IOException {
    boolean first = false;
    for (Path folder : committed()) {
      JsonNode report = Json.REPORT.readTree(folder.resolve("report.json").toFile());
      first |= report.path("schema").asInt() == 1 && !report.path("runs").get(0).has("operations");
    }
    assertThat(first).as("a report without what version 2 has").isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"schema\": 99}", "{\"schema\": 0}", "{}", "[]", "7", "", "{\"schema\": 1}x"})
  void whatIsNoReportIsOneLine(String text) throws IOException {
    Path file = Files.writeString(temporary.resolve("report.json"), text);
    assertThatThrownBy(() -> ReportReader.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("cannot read " + file + ": ")
        .matches(e -> e.getMessage().lines().count() == 1, "one line");
  }

  /** A report of version 2 with two rounds, compared and checked. */
  private Report version2(String jvms) throws IOException {
    ObjectNode old = Json.REPORT.valueToTree(Reports.report());
    old.put("schema", 2);
    old.putObject("configuration").put("jvms", jvms);
    old.withArray("runs").forEach(run -> ((ObjectNode) run).remove("process"));
    old.putArray("differences")
        .addObject()
        .put("query", "sum")
        .put("runsOfA", 20)
        .put("runsOfB", 19)
        .put("verdict", "undecided");
    old.putArray("selfChecks").addObject().put("query", "sum").put("runs", 18);
    Path file = temporary.resolve("report.json");
    Json.REPORT.writeValue(file.toFile(), old);
    return ReportReader.read(file);
  }

  @Test
  void runsOfVersion2AreOfOneProcess() throws IOException {
    Report report = version2("one per arm, side by side");
    assertThat(report.schema()).isEqualTo(Report.SCHEMA);
    assertThat(report.runs()).hasSameSizeAs(Reports.runs()).allMatch(run -> run.process() == 1);
    assertThat(report.runs()).extracting(Run::round).contains(1, 2, 3);
  }

  @Test
  void roundsOfVersion2WithOneJvmAtATimeAreProcesses() throws IOException {
    assertThat(version2("one at a time").runs())
        .hasSameSizeAs(Reports.runs())
        .allMatch(run -> run.process() == run.round());
  }

  @Test
  void samplesOfVersion2AreRuns() throws IOException {
    Report report = version2("one per arm, side by side");
    Difference difference = report.differences().get(0);
    assertThat(difference.samplesOfA()).isEqualTo(20);
    assertThat(difference.samplesOfB()).isEqualTo(19);
    assertThat(difference.sample()).isEqualTo(Samples.Unit.RUN);
    assertThat(report.selfChecks().get(0).samples()).isEqualTo(18);
    assertThat(report.selfChecks().get(0).sample()).isEqualTo(Samples.Unit.RUN);
  }

  @Test
  void intervalsOfVersion3AreMeasuredAgain() throws IOException {
    ObjectNode old = Json.REPORT.valueToTree(Reports.report());
    old.put("schema", 3);
    ObjectNode cell = (ObjectNode) old.withObject("summary").withArray("cells").get(0);
    cell.withObject("seconds").put("ciLow", -8.75).remove("geometricMean");
    Path file = temporary.resolve("report.json");
    Json.REPORT.writeValue(file.toFile(), old);
    assertThat(ReportReader.read(file).summary()).isEqualTo(Reports.report().summary());
  }

  @Test
  void theFirstBufferOfAPoolHasNoRate() {
    Report report =
        ReportReader.read(HarnessHome.folder().resolve("results/2026-11-22-pool-chunks"));
    assertThat(report.summary().cells())
        .filteredOn(cell -> cell.query().startsWith("first buffer"))
        .isNotEmpty()
        .allMatch(cell -> cell.bytesPerSecond() == 0);
    assertThat(new ReportCharts(report).all())
        .filteredOn(chart -> chart.title().equals("first buffer"))
        .singleElement()
        .satisfies(
            chart ->
                assertThat(((LineChart) chart).points())
                    .extracting(LineChart.Point::x)
                    .contains(1.0, 16.0));
  }

  @Test
  void aLaterVersionIsNamed() throws IOException {
    Path file = Files.writeString(temporary.resolve("report.json"), "{\"schema\": 99}");
    assertThatThrownBy(() -> ReportReader.read(file)).hasMessageContaining("schema 99");
  }
}
