package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.env.Environment.Gpu;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * {@code scan} with all its options, each time with workers in JVMs of their own: minutes, so that
 * {@code -Dmooring.benchmarks.scans=true} asks for it.
 */
@EnabledIfSystemProperty(named = "mooring.benchmarks.scans", matches = "true")
class ScanCommandTest {

  @TempDir private static Path data;
  @TempDir private Path temporary;
  private final StringWriter output = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command = Benchmarks.commandLine();
    command.setErr(new PrintWriter(output)).setOut(new PrintWriter(output));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "--rouns, 3, --rounds",
    "--generate, 8gb?, '8gb?' is not a size",
    "--generate, -1, '-1' is not a size",
    "--pool-size, much, 'much' is not a size",
    "--heap, 0, '0' is not a size",
    "--arms, puddle, no arm 'puddle'",
    "--arms, no-pool:2g, arm 'no-pool:2g': only",
    "--arms, pool:big, 'big' is not a size",
    "--arms, pool+x, 'x' is not KEY=VALUE",
    "--arms, peer, the arm peer needs --peer-jar FILE",
    "--queries, sums, no query 'sums'",
    "--suite, nds, '--suite must be store_sales, tpch or tpcds'",
    "--scale, 0, '--scale must be above 0, not 0'",
    "--scale, big, cannot convert 'big' to BigDecimal",
    "--cache, hot, --cache must be warm or cold",
    "--sql, missing.sql, --sql missing.sql is neither a file nor a query",
    "--tasks, 0, --tasks must be 1 or more",
    "--rounds, 0, --rounds must be 1 or more",
    "--rounds, many, 'many' is not an int",
    "--conf, novalue, KEY=VALUE",
    "--trace-out, no/folder/t.gz, cannot write to no/folder/t.gz"
  })
  void wrongOptionsAreOneClearLine(String option, String value, String expected) {
    assertThat(execute("scan", option, value)).isEqualTo(2);
    assertThat(output.toString()).startsWith("error: ").contains(expected).doesNotContain("\tat ");
    assertThat(output.toString().lines()).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void anUnwritableFolderIsOneClearLine() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");
    int code = execute("scan", "--arms", "spark-cpu", "--out", file.resolve("below").toString());
    assertThat(code).isEqualTo(2);
    assertThat(output.toString().lines()).hasSize(1).first().asString().contains("cannot write to");
  }

  @Test
  void missingDataIsOneClearLine() {
    String missing = temporary.resolve("missing").toString();
    String out = temporary.resolve("out").toString();
    int code = execute("scan", "--arms", "spark-cpu", "--out", out, "--data", missing);
    assertThat(code).isEqualTo(2);
    assertThat(output.toString().lines()).hasSize(1).first().asString().contains(missing);
  }

  @Test
  void helpNamesEveryCommand() {
    assertThat(execute("--help")).isZero();
    assertThat(output.toString()).contains("scan", "report");
  }

  private int scan(Path out, String... more) {
    List<String> arguments = new ArrayList<>(List.of("scan", "--tasks", "2", "--heap", "1g"));
    arguments.addAll(List.of("--generate", "1m", "--data-dir", data.resolve("data").toString()));
    arguments.addAll(List.of("--out", out.toString()));
    arguments.addAll(List.of(more));
    return execute(arguments.toArray(new String[0]));
  }

  @Test
  void aStoredResultIsWhatRunsAreComparedWith() throws IOException {
    String[] once = {"--arms", "spark-cpu", "--rounds", "1", "--warmup", "0", "--queries", "sum"};
    assertThat(scan(temporary.resolve("first"), once)).as(output.toString()).isZero();
    Path results = data.resolve("data/_expected-results");
    List<Path> changed = new ArrayList<>();
    try (Stream<Path> files = Files.list(results)) {
      for (Path file : files.toList()) {
        Files.writeString(file, "[[\"another\"]]");
        changed.add(file);
      }
    }
    assertThat(changed).isNotEmpty();
    int code = scan(temporary.resolve("second"), once);
    for (Path file : changed) {
      Files.delete(file);
    }
    assertThat(code).isEqualTo(1);
    assertThat(new ReportFolder(temporary.resolve("second")).read().notes())
        .anyMatch(note -> note.contains("expected 1 columns"));
  }

  @Test
  void armsAlternateAndEveryRunIsARow() throws IOException {
    Path out = temporary.resolve("out");
    int code =
        scan(
            out,
            "--arms",
            "no-pool,pool",
            "--rounds",
            "2",
            "--warmup",
            "1",
            "--queries",
            "sum,lookup,all");
    assertThat(code).as(output.toString()).isZero();
    Report report = new ReportFolder(out).read();
    assertThat(report.status()).isEqualTo(Report.COMPLETE);
    assertThat(report.runs()).allSatisfy(this::isPlausible);
    assertThat(report.runs()).hasSize(3 * 2 * 3);
    assertThat(report.runs()).filteredOn(Run::warmUp).hasSize(3 * 2);
    assertThat(report.runs())
        .filteredOn(run -> run.query().equals("sum"))
        .extracting(Run::arm)
        .containsExactly("no-pool", "pool", "no-pool", "pool", "pool", "no-pool");
    assertThat(report.summary().comparisons()).hasSize(3);
    assertThat(report.checks()).extracting(Check::verdict).startsWith("holds", "skipped");
    assertThat(out.resolve("report.html")).content().contains("pool, shuffles");
    String json = Files.readString(out.resolve("report.json"));
    assertThat(json).contains("\"--out\", \"out\"").doesNotContain(out.getParent().toString());
    assertThat(json).as("where the data lies").doesNotContain(data.toString());
  }

  @Test
  void withoutAGpuOneArmIsMeasured() {
    assumeTrue(Gpu.list().isEmpty(), "with a GPU there are three");
    Path out = temporary.resolve("out");
    int code = scan(out, "--rounds", "1", "--warmup", "0", "--queries", "sum");
    assertThat(code).as(output.toString()).isZero();
    Report report = new ReportFolder(out).read();
    assertThat(report.runs()).singleElement().extracting(Run::arm).isEqualTo("spark-cpu");
    assertThat(report.summary().comparisons()).isEmpty();
    assertThat(report.notes()).anyMatch(note -> note.contains("spark-cpu is measured alone"));
  }

  @Test
  void ownQueriesAreCheckedBesideOthersOverColdFiles() {
    Path out = temporary.resolve("out");
    String many = "-- many\nSELECT a.item_sk FROM store_sales a, range(3)";
    int code =
        scan(
            out,
            "--arms=pool",
            "--rounds=1",
            "--warmup=0",
            "--copies=2",
            "--cache=cold",
            "--queries=filter",
            "--sql=" + many + "; SELECT max(k) FROM v ORDER BY 1 LIMIT 5",
            "--sql=create temporary view v as select item_sk k from store_sales");
    assertThat(code).as(output.toString()).isZero();
    Report report = new ReportFolder(out).read();
    assertThat(report.runs()).extracting(Run::query).containsExactly("filter", "many", "sql2");
    assertThat(report.runs()).allSatisfy(this::isPlausible);
    assertThat(report.runs()).allMatch(run -> run.metrics().containsKey("cachedPercent"));
    assertThat(report.configuration())
        .containsEntry("pageCache", "cold")
        .containsEntry("copies", 2)
        .containsEntry(
            "views", List.of("create temporary view v as select item_sk k from store_sales"));
    assertThat(report.runs()).allMatch(run -> run.bytes() > 0);
  }

  @Test
  void aTraceNeedsThePool() {
    assertThat(execute("scan", "--arms", "no-pool", "--trace-out", "t")).isEqualTo(2);
    assertThat(output.toString()).contains("--trace-out needs the arm pool");
  }

  @Test
  void aTraceThatCannotBeRecordedIsAProblem() {
    Path out = temporary.resolve("out");
    Path trace = temporary.resolve("t.gz");
    String few = "--arms pool --rounds 1 --warmup 0 --queries sum --trace-out " + trace;
    // The workers of these tests have no pool.
    assertThat(scan(out, few.split(" "))).isEqualTo(1);
    Report report = new ReportFolder(out).read();
    assertThat(report.runs()).hasSize(1);
    assertThat(report.notes()).anyMatch(note -> note.startsWith("trace, arm pool, 2 tasks: "));
    assertThat(trace).doesNotExist();
  }

  @Test
  void aWrongResultFailsTheRunAndIsReported() {
    Path out = temporary.resolve("out");
    int code =
        scan(
            out,
            "--arms",
            "pool",
            "--rounds",
            "2",
            "--warmup",
            "0",
            "--exclusive",
            "--queries",
            "filter,all",
            "--conf",
            "fake.keep=quantity <> 7");
    assertThat(code).isEqualTo(1);
    Report report = new ReportFolder(out).read();
    assertThat(report.checks().get(0).verdict()).isEqualTo("fails");
    assertThat(report.runs()).as("each round is a process").hasSize(4);
    assertThat(report.runs()).extracting(Run::process).containsExactly(1, 1, 2, 2);
    assertThat(report.runs()).allMatch(run -> run.process() == run.round());
    assertThat(report.configuration()).containsEntry("processes", 2);
    assertThat(report.notes())
        .anyMatch(note -> note.matches("query filter, arm pool, 2 tasks: expected .*, got .*"))
        .anyMatch(note -> note.matches("query all, arm pool, 2 tasks: expected .*, got .*"));
  }

  private void isPlausible(Run run) {
    assertThat(run.seconds()).isPositive();
    assertThat(run.bytes()).isPositive();
    assertThat(run.engine()).isEqualTo("cpu");
    assertThat(run.metrics())
        .containsKeys("numOutputRows", "shuffleExchanges", "broadcastExchanges");
  }
}
