package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.query.Suite;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuiteChecksTest {

  private final List<Run> runs = new ArrayList<>();

  private void add(String query, double pool, double peer, double otherPeer, double cpu) {
    Map<String, Double> seconds =
        Map.of("pool", pool, "peer", peer, "peer-default", otherPeer, "spark-cpu", cpu);
    seconds.forEach(
        (arm, s) -> runs.add(new Run(query, arm, 8, 1, 1, false, "gpu", s, 1, 0, "", Map.of())));
  }

  private List<Check> checks(Suite suite, boolean onGpu) {
    List<Arm> arms =
        new Arms(List.of("4g")).parse(List.of("pool", "peer", "peer-default", "spark-cpu"));
    return new SuiteChecks(suite, Summary.of(runs, "pool"), 8, arms, onGpu).all();
  }

  @Test
  void tpchIsHeldAgainstThePeersBestAndSpark() {
    add("q1", 0.5, 2, 1, 4);
    add("q6", 0.9, 1, 2, 0.5);
    List<Check> checks = checks(Suite.TPCH, true);
    assertThat(checks)
        .extracting(Check::bound, Check::verdict, Check::reason)
        .containsExactly(
            tuple(0.6, "holds", ""),
            tuple(0.8, "fails", ""),
            tuple(1.0, "skipped", "not both were measured on a GPU"),
            tuple(0.7, "holds", ""),
            tuple(1.3, "holds", ""),
            tuple(0.4, "fails", ""),
            tuple(0.15, "fails", ""),
            tuple(1.05, "fails", "q6"));
    assertThat(checks.get(0).value()).isEqualTo(0.5, within(1e-9));
    assertThat(checks.get(1).value()).isEqualTo(0.9, within(1e-9));
    assertThat(checks.get(3).value()).isEqualTo(Math.sqrt(0.25 * 0.9), within(1e-9));
    assertThat(checks.get(4).value()).isEqualTo(0.9, within(1e-9));
    assertThat(checks.get(5).value()).isEqualTo(Math.sqrt(0.125 * 1.8), within(1e-9));
    assertThat(checks.get(6).value()).isEqualTo(checks.get(5).value());
    assertThat(checks.get(7).value()).isEqualTo(1.8, within(1e-9));
  }

  /**
   * The peer's best arm is that of all queries for the mean, and that of each query for the worst.
   */
  @Test
  void tpchFailsByItsMeanAndByOneSlowQuery() {
    add("q2", 2.8, 2, 4, 20);
    add("q3", 0.4, 1, 2, 4);
    List<Check> checks = checks(Suite.TPCH, true);
    assertThat(checks.subList(3, 5))
        .extracting(Check::name, Check::verdict, Check::reason)
        .containsExactly(
            tuple("all 2 queries: pool / the peer's best, geometric mean at 8 tasks", "fails", ""),
            tuple(
                "the slowest query beside the peer: pool / the peer's best at 8 tasks",
                "fails",
                "q2"));
    assertThat(checks.get(3).value()).isEqualTo(Math.sqrt(1.4 * 0.4), within(1e-9));
    assertThat(checks.get(4).value()).isEqualTo(1.4, within(1e-9));
    assertThat(checks.subList(5, 7)).extracting(Check::verdict).containsExactly("holds", "holds");
  }

  @Test
  void tpcdsIsHeldAsAWholeAndByItsBroadcastJoins() {
    add("q3", 0.6, 1, 2, 4);
    add("q4", 9, 5, 6, 20);
    List<Check> checks = checks(Suite.TPCDS, true);
    assertThat(checks)
        .extracting(Check::bound, Check::verdict)
        .containsExactly(
            tuple(0.7, "holds"), tuple(1.0, "fails"), tuple(0.6, "holds"), tuple(1.05, "holds"));
    assertThat(checks.get(0).value()).isEqualTo(0.6, within(1e-9));
    assertThat(checks.get(1).value()).isEqualTo(Math.sqrt(0.6 * 1.8), within(1e-9));
    assertThat(checks.get(2).value()).isEqualTo(Math.sqrt(0.15 * 0.45), within(1e-9));
  }

  @Test
  void withoutAGpuNothingIsHeld() {
    add("q1", 1, 1, 1, 1);
    assertThat(checks(Suite.TPCH, false)).extracting(Check::verdict).containsOnly("skipped");
  }
}
