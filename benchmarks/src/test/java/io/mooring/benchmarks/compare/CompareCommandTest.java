package io.mooring.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Difference;
import io.mooring.benchmarks.report.Difference.Verdict;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.SelfCheck;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CompareCommandTest {

  private static final int ROUNDS = 20;

  @TempDir private Path folder;
  private final StringWriter output = new StringWriter();
  private final MadeReports made = new MadeReports(20260102);

  private int execute(String... arguments) {
    CommandLine command = Benchmarks.commandLine();
    command.setErr(new PrintWriter(output)).setOut(new PrintWriter(output));
    return command.execute(arguments);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private Report result() {
    return new ReportFolder(folder.resolve("out")).read();
  }

  /** B against A: slow is 10 % slower, fast 10 % faster, same the same, noisy hidden in noise. */
  @BeforeEach
  void write() {
    made.write(folder.resolve("a"), ROUNDS, Map.of("pool", 1.0, "no-pool", 2.0));
    made.write(folder.resolve("b"), ROUNDS, Map.of("pool", 1.0, "no-pool", 2.0), 1.1);
  }

  @Test
  void regressionsComeFirst() {
    assertThat(execute("compare", path("a"), path("b"), "--arms", "pool", "--out", path("out")))
        .as(output.toString())
        .isZero();
    List<Difference> differences = result().differences();
    assertThat(differences)
        .extracting(Difference::query)
        .containsExactly("slow", "fast", "same", "noisy");
    assertThat(differences).extracting(Difference::verdict).containsExactly(Verdict.values());
    assertThat(differences).extracting(Difference::test).containsOnly("Welch");
    assertThat(differences.get(0).ratio()).isEqualTo(1 / 1.1, within(0.01));
    assertThat(differences.get(0).low()).isLessThan(1 / 1.1);
    assertThat(differences.get(0).high()).isBetween(1 / 1.1, 1.0);
    assertThat(differences.get(0).detectable()).isBetween(1.0, 1.05);
    assertThat(result().checks()).extracting(Check::verdict).containsExactly("fails");
    assertThat(result().checks().get(0).reason()).contains("slow").doesNotContain("fast");
    assertThat(result().notes()).anyMatch(note -> note.contains("did not run in turns"));
    assertThat(result().runs()).extracting(Run::arm).containsOnly("A: pool", "B: pool");
  }

  @Test
  void aRegressionFailsABuildThatAsksForIt() {
    String[] arguments = {"compare", path("a"), path("b"), "--out", path("out")};
    assertThat(execute(arguments)).isZero();
    assertThat(
            execute("compare", path("a"), path("b"), "--out", path("out"), "--fail-on-regression"))
        .isEqualTo(1);
    assertThat(
            execute("compare", path("a"), path("a"), "--out", path("out"), "--fail-on-regression"))
        .isZero();
  }

  @Test
  void armsThatTookTurnsArePairs() {
    assertThat(
            execute(
                "compare", "--within", path("a"), "--arms", "no-pool,pool", "--out", path("out")))
        .as(output.toString())
        .isZero();
    assertThat(result().differences())
        .extracting(Difference::test)
        .containsOnly("paired")
        .hasSize(4);
    assertThat(result().differences().get(0).verdict()).isEqualTo(Verdict.IMPROVEMENT);
    assertThat(result().differences().get(0).ratio()).isEqualTo(2, within(0.2));
  }

  @Test
  void anotherMetricCanBeCompared() {
    assertThat(
            execute(
                "compare",
                path("a"),
                path("b"),
                "--arms",
                "pool",
                "--metric",
                "rows",
                "--higher-is-better",
                "--out",
                path("out")))
        .as(output.toString())
        .isZero();
    Difference slow =
        result().differences().stream().filter(d -> d.query().equals("slow")).findFirst().get();
    // The made rows are a thousand a second of the run: more of them in the slower run.
    assertThat(slow.ratio()).isEqualTo(1.1, within(0.01));
    assertThat(slow.verdict()).isEqualTo(Verdict.IMPROVEMENT);
  }

  @Test
  void twinArmsAreAnAAComparison() {
    made.write(folder.resolve("twins"), ROUNDS, Map.of("pool", 1.0, "pool#2", 1.0));
    assertThat(
            execute(
                "compare",
                "--within",
                path("twins"),
                "--arms",
                "pool,pool#2",
                "--out",
                path("out")))
        .isZero();
    Check check = result().checks().get(0);
    assertThat(check.name()).isEqualTo("A/A: false alarms");
    assertThat(check.value()).isLessThanOrEqualTo(1);
    assertThat(result().notes()).anyMatch(note -> note.startsWith("A/A: both arms have the same"));
  }

  @Test
  void theSelfCheckTellsItsFalseAlarms() {
    assertThat(
            execute("compare", "--self-check", path("a"), "--arms", "pool", "--out", path("out")))
        .as(output.toString())
        .isZero();
    List<SelfCheck> checks = result().selfChecks();
    assertThat(checks).extracting(SelfCheck::query).contains("same", "noisy").hasSize(4);
    assertThat(checks).allSatisfy(c -> assertThat(c.welch()).isBetween(0.02, 0.08));
    assertThat(checks).allSatisfy(c -> assertThat(c.paired()).isBetween(0.0, 0.12));
    assertThat(result().checks().get(0).holds()).isTrue();
    assertThat(result().notes()).anyMatch(note -> note.contains("alpha is 5%"));
  }

  @Test
  void aMachineThatDriftsIsSeen() {
    made.drifting(folder.resolve("drift"), ROUNDS, 1.2);
    assertThat(execute("compare", "--self-check", path("drift"), "--out", path("out"))).isZero();
    assertThat(result().selfChecks()).allSatisfy(c -> assertThat(c.drift()).isLessThan(0.01));
  }

  @Test
  void whatIsNotOnBothSidesIsSaid() throws Exception {
    made.write(folder.resolve("short"), 1, Map.of("pool", 1.0));
    Path json = folder.resolve("short/report.json");
    Files.writeString(json, Files.readString(json).replace("\"noisy\"", "\"other\""));
    assertThat(execute("compare", path("a"), json.toString(), "--out", path("out"))).isZero();
    assertThat(result().notes())
        .contains(
            "query noisy, 4 tasks was measured only in A: pool",
            "query other, 4 tasks was measured only in B: pool")
        .anyMatch(note -> note.startsWith("query same, 4 tasks cannot be tested"));
    assertThat(result().differences())
        .extracting(Difference::verdict)
        .containsOnly(Verdict.UNDECIDED);
  }

  @ParameterizedTest
  @CsvSource({
    "a b --metric second, did you mean 'seconds'?",
    "a b --arms pol, did you mean 'pool'?",
    "a b --alpha 70%, --alpha must be above 0",
    "a b --alpha much, 'much' is no share",
    "a b --equivalence 0, --equivalence must be above 0",
    "a b --equivalense 3%, --equivalence",
    "a, name two reports",
    "a nowhere, no report: ",
    "--within a, --arms takes an arm of A",
    "a b --self-check a, name two reports"
  })
  void wrongOptionsAreOneClearLine(String line, String expected) {
    String[] words = ("compare --out " + path("out") + " " + line).split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = List.of("a", "b", "nowhere").contains(words[i]) ? path(words[i]) : words[i];
    }
    assertThat(execute(words)).isEqualTo(2);
    assertThat(output.toString()).startsWith("error: ").contains(expected).doesNotContain("\tat ");
    assertThat(output.toString().lines()).hasSizeLessThanOrEqualTo(3);
  }
}
