package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.report.Difference;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Samples;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code scan --processes}, for real. */
class ProcessesTest {

  @TempDir private static Path data;
  @TempDir private Path temporary;
  private final StringWriter output = new StringWriter();

  private int execute(String line) {
    CommandLine command = Benchmarks.commandLine();
    command.setErr(new PrintWriter(output)).setOut(new PrintWriter(output));
    return command.execute(line.split(" "));
  }

  /** Two processes of each arm. */
  private int scan(String more) throws IOException {
    Path sql = temporary.resolve("q.sql");
    Files.writeString(sql, "SELECT count(item_sk) FROM store_sales");
    String line =
        "scan --tasks 2 --heap 1g --generate 1m --processes 2 --sql %s --conf fake.starts=%s"
            + " --data-dir %s --out %s %s";
    return execute(
        line.formatted(sql, starts(), data.resolve("data"), temporary.resolve("out"), more));
  }

  private Path starts() {
    return temporary.resolve("starts");
  }

  private Report report() {
    return new ReportFolder(temporary.resolve("out")).read();
  }

  private Stream<Run> runs(int process, boolean warmUp) {
    return report().runs().stream()
        .filter(run -> run.process() == process && run.warmUp() == warmUp);
  }

  @Test
  void eachProcessIsMeasuredInFreshJvms() throws IOException {
    assertThat(scan("--arms no-pool,pool --rounds 2 --warmup 1")).as(output.toString()).isZero();
    assertThat(Files.readAllLines(starts())).doesNotHaveDuplicates().hasSize(2 * 2);
    assertThat(report().runs()).hasSize(2 * 2 * (2 + 1));
    assertThat(report().configuration()).containsEntry("processes", 2).containsEntry("rounds", 2);
    for (int process : List.of(1, 2)) {
      assertThat(runs(process, true)).extracting(Run::round).containsExactly(process, process);
      assertThat(runs(process, false)).hasSize(4);
    }
    assertThat(runs(1, false)).extracting(Run::round).containsOnly(1, 2);
    assertThat(runs(2, false)).extracting(Run::round).containsOnly(3, 4);
    assertThat(runs(1, false))
        .extracting(Run::arm)
        .containsExactly("no-pool", "pool", "pool", "no-pool");
    assertThat(runs(2, false))
        .extracting(Run::arm)
        .containsExactly("pool", "no-pool", "no-pool", "pool");
    comparesByProcess();
  }

  /** Compares the same report, so that no more JVMs are needed. */
  private void comparesByProcess() {
    Path compared = temporary.resolve("compared");
    assertThat(
            execute(
                "compare --within %s --arms no-pool,pool --out %s"
                    .formatted(temporary.resolve("out"), compared)))
        .isZero();
    List<Difference> differences = new ReportFolder(compared).read().differences();
    assertThat(differences).hasSize(1).extracting(Difference::test).containsOnly("paired");
    assertThat(differences).extracting(Difference::sample).containsOnly(Samples.Unit.PROCESS);
    assertThat(differences).extracting(Difference::samplesOfA).containsOnly(2);
  }

  @Test
  void aLostWorkerIsStartedAgainInTheNextProcess() throws IOException {
    assertThat(scan("--arms pool --rounds 1 --warmup 0 --conf fake.lost=1")).isEqualTo(1);
    assertThat(Files.readAllLines(starts())).hasSize(2);
    assertThat(report().runs()).singleElement().extracting(Run::process).isEqualTo(2);
    assertThat(report().runs()).singleElement().extracting(Run::round).isEqualTo(2);
    assertThat(report().notes()).anyMatch(note -> note.contains("pool-2 ended with code 7"));
  }

  @ParameterizedTest
  @CsvSource({
    "--processes 0, --processes must be 1 or more",
    "--processes 2 --exclusive, leave out --processes"
  })
  void whatMakesNoSenseIsOneClearLine(String options, String expected) {
    assertThat(execute("scan " + options)).isEqualTo(2);
    assertThat(output.toString()).startsWith("error: ").contains(expected);
    assertThat(output.toString().lines()).hasSizeLessThanOrEqualTo(3);
  }
}
