package io.mooring.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LauncherTest {

  private static final char CTRL_C = 3;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "comprae a b, compare",
    "compare a b --equivalanz 2%, --equivalence",
    "report --hlep, --help"
  })
  void anUnknownNameIsAnsweredWithTheNearest(String line, String nearest) throws Exception {
    try (Launcher launcher = Launcher.start(folder, line.split(" "))) {
      assertThat(launcher.exitCode()).as(launcher.output()).isEqualTo(2);
      assertThat(launcher.output()).startsWith("error: ").contains(nearest);
      assertThat(launcher.output().lines()).hasSizeLessThanOrEqualTo(3);
    }
  }

  @Test
  void aFolderThatCannotBeIsOneLine() throws Exception {
    String report = HarnessHome.folder().resolve("results/2026-11-21-scan").toString();
    try (Launcher launcher =
        Launcher.start(folder, "compare", report, report, "--out", "/proc/no")) {
      assertThat(launcher.exitCode()).isEqualTo(2);
      assertThat(launcher.output())
          .startsWith("error: cannot write to /proc/no: ")
          .endsWith("; choose another --out\n")
          .hasLineCount(1);
    }
  }

  @Test
  void ctrlCKeepsWhatScanHasMeasured() throws Exception {
    Report report =
        interrupted(
            " of 200 runs",
            "scan --arms spark-cpu --queries sum --tasks 1 --rounds 200 --warmup 0 --heap 1g"
                + " --generate 1m --data-dir "
                + folder.resolve("data"));
    assertThat(report.runs()).hasSizeBetween(20, 199);
  }

  @Test
  void ctrlCInATerminalKeepsWhatScanHasMeasured() throws Exception {
    Report report =
        interruptedInTerminal(
            "] 5 of 200, ",
            "scan --arms spark-cpu --queries sum --tasks 1 --rounds 200 --warmup 0 --heap 1g"
                + " --generate 1m --data-dir "
                + folder.resolve("data"));
    assertThat(report.runs()).hasSizeBetween(5, 199);
    assertThat(report.notes()).noneMatch(note -> note.contains(" ended"));
  }

  @Test
  void ctrlCInATerminalKeepsWhatPoolHasMeasured() throws Exception {
    Report report =
        interruptedInTerminal(
            "] 5 of ",
            "pool --sizes 64m --threads 1 --rounds 200 --warmup 1 --seconds 0.01 --pool-size 256m"
                + " --mixed-seconds 0");
    assertThat(report.runs()).hasSizeGreaterThanOrEqualTo(5);
    assertThat(report.notes()).noneMatch(note -> note.contains(" ended"));
  }

  /** Starts a command, waits for its first sign of progress, and sends what Ctrl-C sends. */
  private Report interrupted(String progress, String line) throws Exception {
    Path out = folder.resolve("out");
    try (Launcher launcher = Launcher.start(folder, (line + " --out " + out).split(" "))) {
      launcher.awaitOutput(progress);
      launcher.interrupt();
      return kept(launcher, out);
    }
  }

  /** The same in a terminal: all processes of the command get the signal. */
  private Report interruptedInTerminal(String progress, String line) throws Exception {
    Path out = folder.resolve("out");
    String[] arguments = (line + " --out " + out).split(" ");
    try (Launcher launcher = Launcher.startInTerminal(folder, arguments)) {
      launcher.awaitOutput(progress);
      launcher.type(CTRL_C);
      return kept(launcher, out);
    }
  }

  private static Report kept(Launcher launcher, Path out) throws Exception {
    assertThat(launcher.exitCode()).as(launcher.output()).isEqualTo(130);
    assertThat(launcher.output()).contains("Interrupted: keeping what was measured");
    assertThat(launcher.output()).doesNotContain("\tat ");
    assertThat(Files.readString(out.resolve("report.html"))).contains("interrupted");
    Report report = ReportReader.read(out);
    assertThat(report.status()).isEqualTo(Report.INTERRUPTED);
    return report;
  }
}
