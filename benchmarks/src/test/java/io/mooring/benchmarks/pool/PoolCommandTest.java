package io.mooring.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.env.Environment.Gpu;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PoolCommandTest {

  @TempDir private Path temporary;
  private final StringWriter output = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command = Benchmarks.commandLine();
    command.setErr(new PrintWriter(output)).setOut(new PrintWriter(output));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "--roundz, 3, --rounds",
    "--sizes, 8gb?, '8gb?' is not a size",
    "--threads, 0, --threads must be 1 or more",
    "--rounds, 0, --rounds must be 1 or more",
    "--warmup, 0, --warmup must be 1 or more",
    "--seconds, 0, --seconds must be above 0",
    "--mixed-seconds, NaN, --mixed-seconds must be 0 or more",
    "--trace, nowhere.trace, cannot read the trace"
  })
  void wrongOptionsAreOneClearLine(String option, String value, String expected) {
    assertThat(execute("pool", option, value)).isEqualTo(2);
    assertThat(output.toString()).startsWith("error: ").contains(expected).doesNotContain("\tat ");
    assertThat(output.toString().lines()).hasSizeLessThanOrEqualTo(3);
  }

  private Report shortRun(Path trace) {
    Path out = temporary.resolve("out");
    int code =
        execute(
            ("pool --sizes 64m --threads 1,2 --rounds 1 --warmup 1 --seconds 0.02 --pool-size 256m"
                    + " --mixed-seconds 0.2 --trace "
                    + trace
                    + " --out "
                    + out)
                .split(" "));
    assertThat(code).as(output.toString()).isZero();
    return new ReportFolder(out).read();
  }

  @Test
  void everyAllocatorIsMeasuredInEveryWay() throws IOException {
    assumeTrue(Gpu.list().isEmpty(), "with a GPU there are more arms");
    // 4096 is a size class; the next one above is 4608.
    Report report = shortRun(TraceFiles.write(temporary.resolve("t.gz"), 2000, 4096, 4097));
    assertThat(report.status()).isEqualTo(Report.COMPLETE);
    assertThat(report.runs())
        .filteredOn(run -> !run.query().contains("64m"))
        .allSatisfy(this::isPlausible);
    String[] natively = {"mooring-buffers", "mooring-libcudf", "malloc"};
    assertThat(arms(report, "fresh trace")).containsExactly("mooring", "malloc");
    assertThat(arms(report, "aged trace")).containsExactly("mooring", "malloc");
    assertThat(arms(report, "fresh native own-thread")).containsExactly(natively);
    assertThat(arms(report, "aged native own-thread")).containsOnly(natively);
    assertThat(arms(report, "aged native cross-thread batches")).containsExactly(natively);
    assertThat(arms(report, "fresh Java own-thread")).containsExactly("mooring");
    assertThat(arms(report, "aged Java own-thread")).containsOnly("mooring");
    assertThat(arms(report, "aged Java cross-thread batches")).containsExactly("mooring");
    assertThat(arms(report, "ready, 64m")).containsExactly("mooring", "malloc");
    assertThat(arms(report, "mixed run")).containsExactly("mooring-buffers");
    fixedWorkTakesAsLongAsAsked(report);
    losesWhatRoundingLoses(report);
    assertThat(report.checks()).hasSize(15).filteredOn(c -> c.holds() == null).hasSize(14);
    assertThat(report.notes()).contains(PoolPlan.NO_GPU);
    assertThat(Files.readString(temporary.resolve("out/report.json")))
        .doesNotContain(temporary.toString());
  }

  private void fixedWorkTakesAsLongAsAsked(Report report) {
    assertThat(report.runs())
        .filteredOn(run -> run.query().endsWith("batches"))
        .isNotEmpty()
        .allSatisfy(run -> assertThat(run.seconds()).isGreaterThanOrEqualTo(0.02))
        // Each ring has as many operations, and each thread or pair a ring.
        .allSatisfy(
            run -> {
              boolean cross = run.query().contains("cross");
              int rings = cross ? run.tasks() / 2 : run.tasks();
              assertThat(run.operations()).isGreaterThanOrEqualTo(rings * 128L);
              assertThat(run.operations() % rings).isZero();
            });
  }

  private void losesWhatRoundingLoses(Report report) {
    Summary.Cell trace = report.summary().cell("fresh trace", "mooring", 1).orElseThrow();
    assertThat(trace.metrics().get("granted_bytes")).isEqualTo(1000 * (4096 + 4608));
    assertThat(trace.metrics().get("requested_bytes")).isEqualTo(1000 * (4096 + 4097));
    assertThat(report.runs())
        .filteredOn(run -> run.query().endsWith("trace"))
        .allSatisfy(run -> assertThat(run.operations()).isEqualTo(4000));
    assertThat(report.checks())
        .filteredOn(c -> c.name().startsWith("lost to rounding, bytes"))
        .extracting(Check::verdict)
        .containsExactly("holds");
  }

  private void isPlausible(Run run) {
    assertThat(run.seconds()).isPositive();
    assertThat(run.operations()).isPositive();
    assertThat(run.engine()).isEqualTo("cpu");
    if (run.metrics().containsKey("p50_ns")) {
      assertThat(run.metrics().get("p50_ns")).isBetween(1L, run.metrics().get("p99_ns"));
      assertThat(run.metrics().get("max_ns")).isGreaterThanOrEqualTo(run.metrics().get("p999_ns"));
    }
  }

  private static List<String> arms(Report report, String query) {
    return report.runs().stream()
        .filter(run -> run.query().equals(query) && !run.warmUp())
        .map(Run::arm)
        .toList();
  }

  @Test
  void aBrokenTraceIsNamedAndTheRestIsMeasured() throws IOException {
    Path broken = Files.writeString(temporary.resolve("broken"), "no trace at all");
    Path out = temporary.resolve("out");
    int code =
        execute(
            ("pool --sizes 64m --threads 1 --rounds 1 --warmup 1 --seconds 0.01 --pool-size 256m"
                    + " --mixed-seconds 0 --trace "
                    + broken
                    + " --out "
                    + out)
                .split(" "));
    assertThat(code).isEqualTo(1);
    Report report = new ReportFolder(out).read();
    assertThat(report.notes()).contains("native-malloc: broken is no allocation trace");
    assertThat(arms(report, "fresh trace")).isEmpty();
    assertThat(arms(report, "aged native own-thread")).isNotEmpty();
  }

  /** Traces in the layout of mooring/trace_recorder.hpp. */
  private static final class TraceFiles {

    private static final int RECORD = 32;
    private static final int ALLOCATE = 0;
    private static final int FREE = 1;

    private TraceFiles() {}

    /** One thread allocates blocks of these sizes in turn, another frees each; gzip. */
    static Path write(Path file, int count, long... sizes) throws IOException {
      ByteBuffer bytes =
          ByteBuffer.allocate(16 + 2 * count * RECORD).order(ByteOrder.LITTLE_ENDIAN);
      bytes.put("MOORTRC1".getBytes(StandardCharsets.US_ASCII)).putLong(2L * count);
      for (int i = 0; i < count; i++) {
        long address = 4096L * (1 + i % 100);
        put(bytes, 20L * i, address, sizes[i % sizes.length], 0, ALLOCATE);
        put(bytes, 20L * i + 10, address, 0, 1, FREE);
      }
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write(bytes.array());
      }
      return file;
    }

    private static void put(
        ByteBuffer to, long nanos, long address, long bytes, int thread, int operation) {
      to.putLong(nanos).putLong(address).putLong(bytes).putInt(thread).putInt(operation);
    }
  }
}
