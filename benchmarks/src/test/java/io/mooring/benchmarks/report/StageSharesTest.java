package io.mooring.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.report.page.StageBars;
import io.mooring.benchmarks.report.table.QueryTables;
import io.mooring.benchmarks.report.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageSharesTest {

  private static Map<String, Long> metrics(double read, double decode) {
    Map<String, Long> metrics = new HashMap<>();
    metrics.put("ioThreads", 8L);
    metrics.put("readNanos", (long) (read * 1e9));
    metrics.put("decodeNanos", (long) (decode * 1e9));
    return metrics;
  }

  private static StageShares stages(double read, double decode) {
    return StageShares.of(metrics(read, decode), 2, 4).orElseThrow();
  }

  @Test
  void aStageIsAShareOfItsThreadsTime() {
    StageShares stages = stages(4, 2);
    assertThat(stages.shares().get("read")).isCloseTo(0.25, within(1e-9));
    assertThat(stages.shares().get("decode")).isCloseTo(0.25, within(1e-9));
    assertThat(stages.shares().get(StageShares.REST)).isCloseTo(0.75, within(1e-9));
    assertThat(stages.shares())
        .containsOnlyKeys(
            "read",
            "verify",
            "wait for the pool",
            "upload",
            "wait for the GPU",
            "wait for a turn",
            "decode",
            "download",
            StageShares.REST);
  }

  @Test
  void theWallIsTheLargestShare() {
    assertThat(stages(1, 1).bottleneck()).isEqualTo(StageShares.REST);
    assertThat(stages(12, 1).bottleneck()).isEqualTo("read");
    assertThat(stages(1, 7).bottleneck()).isEqualTo("decode");
    Map<String, Long> waiting = metrics(1, 1);
    waiting.put("hostMemoryWaitNanos", 10_000_000_000L);
    assertThat(StageShares.of(waiting, 2, 4).orElseThrow().bottleneck())
        .isEqualTo("wait for the pool");
    waiting.put("turnWaitNanos", 7_500_000_000L);
    assertThat(StageShares.of(waiting, 2, 4).orElseThrow().bottleneck())
        .isEqualTo("wait for a turn");
  }

  @Test
  void readsOfAStoreHaveAThreadForEachRequest() {
    Map<String, Long> metrics = metrics(64, 1);
    metrics.put("requests", 40L);
    metrics.put("storeThreads", 64L);
    StageShares stages = StageShares.of(metrics, 2, 4).orElseThrow();
    assertThat(stages.shares().get("read")).isCloseTo(0.5, within(1e-9));
    metrics.put("readNanos", 120_000_000_000L);
    assertThat(StageShares.of(metrics, 2, 4).orElseThrow().bottleneck()).isEqualTo("the store");
  }

  @Test
  void theProcessorsCanBeTheWall() {
    Map<String, Long> metrics = metrics(4, 2);
    metrics.put("verifyNanos", 2_000_000_000L);
    metrics.put("processors", 4L);
    metrics.put("processorNanos", 7_000_000_000L);
    StageShares stages = StageShares.of(metrics, 2, 4).orElseThrow();
    assertThat(stages.shares().get("verify")).isCloseTo(0.125, within(1e-9));
    assertThat(stages.shares().get(StageShares.PROCESSORS)).isCloseTo(0.875, within(1e-9));
    assertThat(stages.bottleneck()).isEqualTo(StageShares.PROCESSORS);
  }

  @Test
  void runsWithoutStagesSayNothing() {
    assertThat(StageShares.of(Map.of("decodeNanos", 5L), 1, 1)).isEmpty();
    assertThat(StageShares.of(Map.of("ioThreads", 5L), 1, 1)).isEmpty();
  }

  @Test
  void aggregatesOfOneTaskSayNothing() {
    Map<String, Long> metrics = metrics(4, 2);
    metrics.put("finalGroups", 7L);
    assertThat(StageShares.of(metrics, 2, 4)).isEmpty();
  }

  private static Run run(String arm, int round, boolean warmUp, Map<String, Long> metrics) {
    return new Run("sum", arm, 4, 1, round, warmUp, "gpu", 2, 1, 0, "", metrics);
  }

  @Test
  void theReportHasARowForEachQueryAndArm() throws Exception {
    List<Run> runs =
        List.of(
            run("pool", 1, true, metrics(99, 99)),
            run("pool", 1, false, metrics(12, 1)),
            run("pool", 2, false, metrics(14, 1)),
            run("spark-cpu", 1, false, Map.of("numFiles", 1L)));
    Table table = QueryTables.stages(runs);
    assertThat(table.rows()).hasSize(1);
    assertThat(table.rows().get(0))
        .containsExactly(
            "sum", "4", "pool", "81", "0", "0", "0", "0", "0", "13", "0", "19", "read");
    assertThat(table.headings()).hasSameSizeAs(table.rows().get(0));
    assertThat(StageBars.html(runs)).contains("sum, pool, 4 tasks", "read 81 %", "width:40.6%");
  }
}
