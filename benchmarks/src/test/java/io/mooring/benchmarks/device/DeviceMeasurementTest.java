package io.mooring.benchmarks.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.env.Environment.Gpu;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Report;
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
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DeviceMeasurementTest {

  @TempDir private Path temporary;
  private final StringWriter output = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command = Benchmarks.commandLine();
    command.setErr(new PrintWriter(output)).setOut(new PrintWriter(output));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "transfer, --roundz, 3, --rounds",
    "transfer, --rounds, 0, --rounds must be 1 or more",
    "transfer, --sizes, 1000b, --sizes must be a multiple of 4 KiB",
    "transfer, --memory, unpinned, --memory has no 'unpinned'",
    "transfer, --device, -1, --device must be 0 or more",
    "overlap, --load, sleep, --load has no 'sleep'",
    "overlap, --chunk, 3m, --size must be a multiple of --chunk",
    "overlap, --threads, 0, --threads must be 1 or more",
    "numa, --copies, 0, --copies must be 1 or more",
    "numa, --size, 100b, --size must be a multiple of 4 KiB",
    "p2p, --gpus, 0, --gpus must be 1 or more",
    "p2p, --halo-rows, 1, --halo-rows must be 2 or more",
    "p2p, --gpuz, 1, --gpus"
  })
  void wrongOptionsAreOneClearLine(String command, String option, String value, String expected) {
    assertThat(execute(command, option, value)).isEqualTo(2);
    assertThat(output.toString()).startsWith("error: ").contains(expected).doesNotContain("\tat ");
    assertThat(output.toString().lines()).hasSizeLessThanOrEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"transfer", "overlap", "p2p", "numa --one-node-too"})
  void withoutAGpuEachSaysSoAndSucceeds(String command) {
    assumeTrue(Gpu.list().isEmpty(), "with a GPU it is measured");
    Path out = temporary.resolve("out");
    String[] words = command.split(" ");
    String[] all =
        Stream.concat(Stream.of(words), Stream.of("--quick", "--out", out.toString()))
            .toArray(String[]::new);
    assertThat(execute(all)).as(output.toString()).isZero();
    Report report = new ReportFolder(out).read();
    assertThat(report.command()).isEqualTo(words[0]);
    assertThat(report.status()).isEqualTo(Report.COMPLETE);
    assertThat(report.runs()).isEmpty();
    assertThat(report.notes())
        .singleElement()
        .satisfies(note -> assertThat(note).startsWith(DeviceMeasurement.NO_GPU));
    assertThat(report.configuration()).containsKeys("rounds", "seed");
    assertThat(report.checks()).extracting(Check::verdict).doesNotContain("holds", "fails");
    assertThat(out.resolve("report.html")).isNotEmptyFile();
    assertThat(out.resolve("logs")).as("nothing is built").doesNotExist();
  }

  @Test
  void aFolderThatCannotBeWrittenIsOneClearLine() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    for (String command : List.of("transfer", "overlap", "numa", "p2p")) {
      assertThat(execute(command, "--out", file.resolve("x").toString())).isEqualTo(2);
    }
    assertThat(output.toString().lines())
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).startsWith("error: cannot write to "));
  }
}
