package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.data.InputFiles;
import io.mooring.benchmarks.data.Tables;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.query.Suite;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanPlanTest {

  @TempDir private static Path folder;

  private static ScanPlan plan(Map<String, String> conf, boolean exclusive) {
    return plan(conf, 1, exclusive);
  }

  private static ScanPlan plan(Map<String, String> conf, int processes, boolean exclusive) {
    List<Arm> arms =
        new Arms(List.of("4g")).parse(List.of("no-pool", "cudf-default", "pool", "spark-cpu"));
    List<ScanQuery> queries = List.of(ScanQuery.rows("q", "SELECT 1"));
    Tables input = Tables.of(new InputFiles(folder, 1, 1));
    return new ScanPlan(
        arms,
        List.of(1, 4),
        processes,
        5,
        2,
        1,
        Suite.STORE_SALES,
        queries,
        input,
        false,
        Map.of(),
        conf,
        ByteSize.parse("1g"),
        exclusive);
  }

  private static Map<String, String> conf(ScanPlan plan, int arm) {
    return plan.confOf(plan.arms().get(arm));
  }

  @Test
  void armsDifferInTheirPoolsOnly() {
    ScanPlan plan = plan(Map.of(), false);
    assertThat(conf(plan, 0))
        .containsEntry("spark.mooring.pinnedPool.size", "0")
        .containsEntry("spark.mooring.libcudf.defaultPool.size", "0");
    assertThat(conf(plan, 1))
        .containsEntry("spark.mooring.pinnedPool.size", "0")
        .containsEntry("spark.mooring.libcudf.defaultPool.size", "auto");
    assertThat(conf(plan, 2))
        .containsEntry("spark.mooring.pinnedPool.size", "4g")
        .containsEntry("spark.plugins", "io.mooring.spark.MooringPlugin");
    assertThat(conf(plan, 3)).isEqualTo(WorkerProcess.COMMON_CONF);
  }

  @Test
  void liveArmsShareTheGpu() {
    String key = "spark.mooring.gpu.memory.fraction";
    assertThat(conf(plan(Map.of(), false), 0)).containsEntry(key, "0.300");
    assertThat(conf(plan(Map.of(), true), 0)).containsEntry(key, "0.900");
    assertThat(conf(plan(Map.of(key, "0.1"), false), 0)).containsEntry(key, "0.1");
  }

  @Test
  void everyRunIsCounted() {
    assertThat(plan(Map.of(), false).totalRuns()).isEqualTo(4 * 2 * 7);
    assertThat(plan(Map.of(), 3, false).totalRuns()).isEqualTo(4 * 2 * 3 * 7);
    assertThat(plan(Map.of(), true).totalRuns()).isEqualTo(4 * 2 * 5 * 3);
  }

  @Test
  void theConfigurationHasTheProcessesOfAnArm() {
    assertThat(plan(Map.of(), 3, false).configuration()).containsEntry("processes", 3);
    assertThat(plan(Map.of(), true).configuration()).containsEntry("processes", 5);
  }

  @Test
  void sizesFollowTheMemory() {
    long gib = 1L << 30;
    assertThat(ScanPlan.isMemoryShort(3, 8 * gib)).isTrue();
    assertThat(ScanPlan.isMemoryShort(3, 16 * gib)).isFalse();
    assertThat(ScanPlan.defaultHeap(3, 4 * gib).bytes()).isEqualTo(gib);
    assertThat(ScanPlan.defaultHeap(3, 128 * gib).bytes()).isEqualTo(8 * gib);
  }

  private static List<Check> checks(String engine, double noPool, List<String> problems) {
    List<Run> runs = new ArrayList<>();
    for (String arm : List.of("no-pool", "pool")) {
      double seconds = arm.equals("pool") ? 1 : noPool;
      runs.add(new Run("sum", arm, 16, 1, 1, false, engine, seconds, 1, 0, "", Map.of()));
    }
    Summary summary = Summary.of(runs, Arm.BASE);
    List<Integer> tasks = List.of(1, 16);
    return new ScanChecks(
            Suite.STORE_SALES, runs, summary, tasks, List.of(), Optional.empty(), problems)
        .all()
        .subList(0, 2);
  }

  @Test
  void checksSayWhatHolds() {
    assertThat(checks("gpu", 3.5, List.of()))
        .extracting(Check::verdict)
        .containsExactly("holds", "holds");
    assertThat(checks("gpu", 2.5, List.of("wrong")))
        .extracting(Check::verdict)
        .containsExactly("fails", "fails");
    assertThat(checks("cpu", 1, List.of()))
        .extracting(Check::verdict)
        .containsExactly("holds", "skipped");
    assertThat(checks("gpu", 3.5, List.of()).get(1).name())
        .isEqualTo("sum of every column: no-pool / pool at 16 tasks");
  }

  private static Run run(String query, String arm, double seconds, Map<String, Long> metrics) {
    return new Run(query, arm, 16, 1, 1, false, "gpu", seconds, 1, 0, "", metrics);
  }

  private static List<Check> checks(List<Run> runs, String... arms) {
    List<Arm> parsed = new Arms(List.of("4g")).parse(List.of(arms));
    Summary summary = Summary.of(runs, Arm.BASE);
    return new ScanChecks(
            Suite.STORE_SALES, runs, summary, List.of(16), parsed, Optional.empty(), List.of())
        .all();
  }

  @Test
  void thePeerIsMetAtItsBest() {
    List<Run> runs = new ArrayList<>();
    for (String query : List.of("sum", "lookup", "all")) {
      runs.add(run(query, "pool", 0.45, Map.of()));
      runs.add(run(query, "peer", 1.0, Map.of()));
      runs.add(run(query, "peer-default", 4.0, Map.of()));
    }
    assertThat(checks(runs, "pool", "peer", "peer-default").subList(2, 5))
        .extracting(Check::name, Check::value, Check::bound, Check::verdict)
        .containsExactly(
            tuple("sum: pool / the peer's best at 16 tasks", 0.45, 0.5, "holds"),
            tuple("lookup: pool / the peer's best at 16 tasks", 0.45, 0.4, "fails"),
            tuple("all: pool / the peer's best at 16 tasks", 0.45, 0.9, "holds"));
  }

  @Test
  void memoryStaysWithinTheSettings() {
    Map<String, Long> good =
        Map.of("pinnedHighWaterBytes", 9L, "pinnedLimitBytes", 10L, "deviceLimitBytes", 0L);
    Map<String, Long> bad = Map.of("deviceHighWaterBytes", 11L, "deviceLimitBytes", 10L);
    List<Run> runs = List.of(run("sum", "pool", 1, good), run("sum", "pool", 1, bad));
    assertThat(checks(runs, "pool").subList(2, 5))
        .extracting(Check::value, Check::verdict)
        .containsExactly(tuple(0.9, "holds"), tuple(null, "skipped"), tuple(1.1, "fails"));
  }
}
