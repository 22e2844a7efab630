package io.mooring.benchmarks.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Json;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportReader;
import io.mooring.benchmarks.report.Reports;
import io.mooring.benchmarks.report.table.ReportTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportFolderTest {

  @TempDir private Path path;
  private ReportFolder folder;

  @BeforeEach
  void write() {
    folder = new ReportFolder(path);
    folder.write(Reports.report());
  }

  @Test
  void whatIsWrittenIsReadBack() {
    assertThat(folder.read()).isEqualTo(Reports.report());
  }

  @Test
  void jsonHasThePromisedKeys() throws IOException {
    assertThat(Json.REPORT.readTree(path.resolve("report.json").toFile()).fieldNames())
        .toIterable()
        .contains("schema", "command", "environment", "configuration", "runs", "summary", "checks");
  }

  @Test
  void keysOfLaterVersionsAreIgnored() throws IOException {
    Path json = path.resolve("report.json");
    Files.writeString(
        json, Files.readString(json).replaceFirst("\"schema\"", "\"later\" : 1, \"schema\""));
    assertThat(folder.read()).isEqualTo(Reports.report());
  }

  @Test
  void csvHasOneRowARun() throws IOException {
    assertThat(Files.readAllLines(path.resolve("runs.csv")))
        .hasSize(1 + Reports.runs().size())
        .first()
        .asString()
        .startsWith(
            "query,arm,tasks,process,round,warm_up,engine,seconds,bytes,operations,started_at")
        .endsWith("metric: ioNanos");
  }

  @Test
  void htmlStandsAlone() throws IOException {
    String html = Files.readString(path.resolve("report.html"));
    assertThat(html)
        .contains("<svg ", "prefers-color-scheme: dark", "default-src 'none'")
        .contains("a &lt;note&gt; &amp; more", "3.50x", "skipped")
        .doesNotContain("http://", "https://", "<note>");
  }

  @Test
  void textHasEveryFigure() {
    assertThat(ReportTables.console(Reports.report()))
        .contains("no-pool", "pool", "gpu", "3.50x", "holds", "skipped", "one GPU");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"commit\" : \"unknown\"", "\"another\" : 1"})
  void anUnknownCommitIsTheFirstNote(String instead) throws IOException {
    assertThat(Files.readString(path.resolve("report.html"))).doesNotContain("MOORING_COMMIT");
    assertThat(ReportTables.console(folder.read())).doesNotContain("MOORING_COMMIT");
    Path json = path.resolve("report.json");
    Files.writeString(json, Files.readString(json).replace("\"commit\" : \"abc\"", instead));
    Report report = folder.read();
    folder.draw(report);
    assertThat(path.resolve("report.html"))
        .content()
        .containsSubsequence("<p class=\"note\">The commit", "unknown", "MOORING_COMMIT", "a &lt;");
    assertThat(ReportTables.console(report)).containsSubsequence("note: The commit", "note: a <");
  }

  @Test
  void aFullDiskIsOneLineAndTheReportIsElsewhere() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "no device that is always full");
    byte[] before = Files.readAllBytes(path.resolve("report.json"));
    Files.createSymbolicLink(path.resolve("report.json.part"), full);
    UserError error = catchThrowableOfType(UserError.class, () -> folder.write(Reports.report()));
    assertThat(error).hasMessageContaining("No space left on device; it is in ");
    assertThat(error.getMessage().lines()).hasSize(1);
    String kept = error.getMessage().replaceFirst(".* it is in ", "");
    assertThat(ReportReader.read(Path.of(kept))).isEqualTo(Reports.report());
    assertThat(path.resolve("report.json")).hasBinaryContent(before);
  }

  @Test
  void drawingLeavesTheDataAsItWas() throws IOException {
    Path json = path.resolve("report.json");
    String old =
        Files.readString(json).replaceFirst("\"schema\" : " + Report.SCHEMA, "\"schema\" : 1");
    Files.writeString(json, old);
    Files.delete(path.resolve("report.html"));
    folder.draw(folder.read());
    assertThat(json).hasContent(old);
    assertThat(path.resolve("report.html")).exists();
  }

  @Test
  void missingAndBrokenReportsAreOneLine() throws IOException {
    ReportFolder none = new ReportFolder(path.resolve("none"));
    assertThatThrownBy(none::read).isInstanceOf(UserError.class).hasMessageContaining("none");
    Files.writeString(path.resolve("report.json"), "{\"schema\": ");
    assertThatThrownBy(folder::read)
        .isInstanceOf(UserError.class)
        .hasMessageContaining("report.json");
    assertThatThrownBy(() -> none.write(Reports.report()))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("cannot write");
  }
}
