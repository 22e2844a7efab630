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

  private void measure() {
    timed("ready, 16g", "cudaHostAlloc", 4.8);
    timed("ready, 16g", "mooring", 0.3);
    timed("first buffer, 16g", "mooring", 0.06);
    counted("Java own-thread", "mooring", 16, 40_000_000);
    counted("Java own-thread", "PinnedMemoryPool", 16, 1_000_000);
    counted("native own-thread", "mooring-libcudf", 16, 300_000_000);
    counted("native own-thread", "rmm-pool", 16, 10_000_000);
    counted("native own-thread batches", "mooring-buffers", 16, 100_000_000);
    counted("native cross-thread batches", "mooring-buffers", 16, 60_000_000);
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
    assertThat(check("first buffer").value()).isEqualTo(60, within(1e-9));
    assertThat(check("first buffer").verdict()).isEqualTo("fails");
    assertThat(check("Java own-thread, 16 threads").value()).isEqualTo(40, within(1e-9));
    assertThat(check("native own-thread, 16 threads").value()).isEqualTo(30, within(1e-9));
    assertThat(check("native own-thread, 16 threads").verdict()).isEqualTo("fails");
    assertThat(check("native, 16 threads: rate freed").value()).isEqualTo(0.6, within(1e-9));
    assertThat(check("bandwidth").value()).as("the lesser").isEqualTo(0.8, within(1e-9));
    assertThat(check("bandwidth").verdict()).isEqualTo("fails");
    assertThat(check("lost to rounding").verdict()).isEqualTo("skipped");
  }

  @Test
  void withoutATraceItsChecksAreAbsent() {
    measure();
    assertThat(checks(true, false)).noneMatch(c -> c.name().startsWith("lost to rounding"));
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
