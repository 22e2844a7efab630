package io.mooring.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolChecksTest {

  private final List<Run> runs = new ArrayList<>();

  private static PoolPlan plan(boolean gpu) {
    return new PoolPlan(
        List.of(ByteSize.parse("1g"), ByteSize.parse("16g")),
        List.of(1, 16, 32),
        3,
        1,
        0.1,
        1,
        ByteSize.parse("8g"),
        42,
        gpu);
  }

  private void timed(String query, String arm, double seconds) {
    runs.add(new Run(query, arm, 1, 1, 1, false, "gpu", seconds, 1, 0, "", Map.of()));
  }

  private void counted(String query, String arm, int threads, long perSecond) {
    runs.add(new Run(query, arm, threads, 1, 1, false, "gpu", 2, 0, 2 * perSecond, "", Map.of()));
  }

  private void replayed(String age, String arm, double seconds, long p99) {
    Map<String, Long> metrics =
        Map.of("p99_ns", p99, "granted_bytes", 1100L, "requested_bytes", 1000L);
    runs.add(new Run(age + " trace", arm, 1, 1, 1, false, "gpu", seconds, 0, 88_000, "", metrics));
  }

  private void measure() {
    replayed("fresh", "mooring", 0.04, 100_000);
    replayed("fresh", "rmm-pool", 0.12, 180_000);
    replayed("aged", "mooring", 0.04, 100_000);
    replayed("aged", "rmm-pool", 0.05, 90_000);
    timed("ready, 16g", "cudaHostAlloc", 4.8);
    timed("ready, 16g", "mooring", 0.3);
    timed("first buffer, 16g", "mooring", 0.012);
    counted("fresh Java own-thread", "mooring", 16, 8_000_000);
    counted("fresh Java own-thread", "PinnedMemoryPool", 16, 1_000_000);
    counted("aged Java own-thread", "mooring", 16, 40_000_000);
    counted("aged Java own-thread", "PinnedMemoryPool", 16, 1_000_000);
    counted("fresh native own-thread", "mooring-libcudf", 16, 4_000_000);
    counted("fresh native own-thread", "rmm-pool", 16, 1_000_000);
    counted("aged native own-thread", "mooring-libcudf", 16, 300_000_000);
    counted("aged native own-thread", "rmm-pool", 16, 10_000_000);
    counted("aged native own-thread batches", "mooring-buffers", 16, 100_000_000);
    counted("aged native cross-thread batches", "mooring-buffers", 16, 60_000_000);
    timed("H2D", "cudaHostAlloc", 1);
    timed("H2D", "mooring", 1);
    timed("D2H", "cudaHostAlloc", 1);
    timed("D2H", "mooring", 1.25);
  }

  private List<Check> checks(boolean gpu, boolean trace) {
    Summary summary = Summary.of(runs, List.of("cudaHostAlloc", "PinnedMemoryPool"));
    return new PoolChecks(plan(gpu), summary, trace).all();
  }

  private Check check(String start) {
    return checks(true, true).stream()
        .filter(c -> c.name().startsWith(start))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachBoundIsHeldAgainstItsFigure() {
    measure();
    assertThat(check("pool of 16g ready").value()).isEqualTo(16, within(1e-9));
    assertThat(check("pool of 16g ready").verdict()).isEqualTo("holds");
    assertThat(check("first buffer").value()).isEqualTo(12, within(1e-9));
    assertThat(check("first buffer").verdict()).isEqualTo("fails");
    assertThat(check("native, 16 threads: rate freed").value()).isEqualTo(0.6, within(1e-9));
    assertThat(check("bandwidth").value()).as("the lesser").isEqualTo(0.8, within(1e-9));
    assertThat(check("bandwidth").verdict()).isEqualTo("fails");
    assertThat(check("lost to rounding").value()).isEqualTo(10, within(1e-9));
  }

  @Test
  void freshProcessesAreHeldAgainstFreshOnesAndAgedAgainstAged() {
    measure();
    assertThat(check("fresh Java own-thread, 16 threads").value()).isEqualTo(8, within(1e-9));
    assertThat(check("fresh Java own-thread, 16 threads").verdict()).isEqualTo("fails");
    assertThat(check("aged Java own-thread, 16 threads").value()).isEqualTo(40, within(1e-9));
    assertThat(check("fresh native own-thread, 16 threads").value()).isEqualTo(4, within(1e-9));
    assertThat(check("aged native own-thread, 16 threads").value()).isEqualTo(30, within(1e-9));
  }

  @Test
  void theRecordedTraceComesFirst() {
    measure();
    List<Check> first = checks(true, true).subList(0, 4);
    assertThat(first)
        .extracting(Check::name)
        .allMatch(name -> name.contains("trace of a real scan"));
    assertThat(first)
        .extracting(Check::verdict)
        .containsExactly("holds", "fails", "holds", "fails");
    assertThat(first.get(0).value()).isEqualTo(3, within(1e-9));
    assertThat(first.get(3).value()).isEqualTo(0.9, within(1e-9));
  }

  @Test
  void withoutATraceItsChecksAreAbsent() {
    measure();
    assertThat(checks(true, false)).noneMatch(c -> c.name().contains("trace"));
  }

  @Test
  void withoutAGpuNothingIsJudged() {
    measure();
    assertThat(checks(false, false)).extracting(Check::verdict).containsOnly("skipped");
  }

  @Test
  void pageableMemoryIsNotJudged() {
    runs.add(
        new Run("first buffer, 16g", "mooring", 1, 1, 1, false, "cpu", 0.01, 1, 0, "", Map.of()));
    assertThat(check("first buffer").verdict()).isEqualTo("skipped");
  }
}
