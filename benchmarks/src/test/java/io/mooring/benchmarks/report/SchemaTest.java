package io.mooring.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.Home;
import io.mooring.benchmarks.cli.UserError;
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
    try (Stream<Path> folders = Files.list(Home.folder().resolve("results"))) {
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
    assertThat(report.summary().cells())
        .hasSize(written.path("summary").path("cells").size())
        .allSatisfy(cell -> assertThat(cell.metrics()).isNotNull());
    assertThat(Table.figures(report)).isNotEmpty();
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

  @Test
  void aLaterVersionIsNamed() throws IOException {
    Path file = Files.writeString(temporary.resolve("report.json"), "{\"schema\": 99}");
    assertThatThrownBy(() -> ReportReader.read(file)).hasMessageContaining("schema 99");
  }
}
