package io.mooring.benchmarks.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PipelineCommandTest {

  @TempDir private Path temporary;
  private final StringWriter output = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command = Benchmarks.commandLine();
    command.setErr(new PrintWriter(output)).setOut(new PrintWriter(output));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "--repeat, 0, --repeat must be 1 or more",
    "--rounds, 0, --rounds must be 1 or more",
    "--tasks, 0, --tasks must be 1 or more",
    "--variants, gzip, no variant 'gzip'",
    "--data, x=missing, cannot read missing"
  })
  void wrongOptionsAreOneClearLine(String option, String value, String expected) {
    assertThat(execute("pipeline", "--out", temporary.toString(), option, value)).isEqualTo(2);
    assertThat(output.toString()).startsWith("error: ").contains(expected).doesNotContain("\tat ");
  }

  @Test
  void withoutAGpuTheReadingIsMeasuredAndWithOneEverything() {
    Path out = temporary.resolve("out");
    String few =
        "--generate=1m --variants=tenths,plain --tasks=2 --rounds=2 --warmup=1 --repeat=1,2 --pool-size=1g";
    String[] places = {"pipeline", "--out=" + out, "--data-dir=" + temporary.resolve("data")};
    assertThat(execute(concat(places, few.split(" ")))).as(output.toString()).isZero();
    Report report = new ReportFolder(out).read();
    boolean onGpu = report.runs().stream().anyMatch(run -> run.engine().equals("gpu"));
    List<String> arms =
        onGpu ? List.of("read", "link", "decode", "pipeline", "pipeline x2") : List.of("read");
    assertThat(report.runs()).extracting(Run::query).containsOnly("tenths", "plain");
    assertThat(report.runs()).extracting(Run::arm).containsOnlyElementsOf(arms);
    assertThat(report.runs()).hasSize(2 * 3 * arms.size()).allMatch(run -> run.seconds() > 0);
    assertThat(report.runs()).filteredOn(Run::warmUp).hasSize(2 * arms.size());
    assertThat(report.runs()).allSatisfy(PipelineCommandTest::theProcessorsWereUsed);
    assertThat(report.notes().toString().contains("the rest needs a GPU")).isEqualTo(!onGpu);
    variantsDifferInOneThing(report);
  }

  private static void theProcessorsWereUsed(Run run) {
    long processors = run.metrics().get("processors");
    double most = 1.2 * processors * (run.seconds() + 0.1);
    assertThat(processors).isPositive();
    assertThat(run.metrics().get("processorNanos") / 1e9).isBetween(0.0, most);
  }

  private static void variantsDifferInOneThing(Report report) {
    Map<?, ?> sets = (Map<?, ?>) report.configuration().get("sets");
    assertThat(sets.get("tenths")).hasFieldOrPropertyWithValue("plain", false);
    assertThat(sets.get("plain")).hasFieldOrPropertyWithValue("plain", true);
    assertThat(units(sets, "tenths")).isGreaterThan(5 * units(sets, "plain"));
  }

  private static int units(Map<?, ?> sets, String name) {
    return ((Number) ((Map<?, ?>) sets.get(name)).get("units")).intValue();
  }

  private static String[] concat(String[] some, String[] more) {
    return Stream.of(some, more).flatMap(Arrays::stream).toArray(String[]::new);
  }
}
