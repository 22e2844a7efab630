package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RequiresGpu;
import io.mooring.ui.StagesRun.Where;
import io.mooring.ui.TabRows.Row;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stages and build sides in the tab: of a running application, in the middle of a query and at the
 * end, and of its event log.
 */
@Tag("extended")
@Tag("forked")
class StagesInTabTest {
  @TempDir static Path folder;

  private static StagesRun run;

  @BeforeAll
  static void runQueriesAndReplayThem() throws Exception {
    run = new StagesRun(folder);
  }

  @ParameterizedTest
  @CsvSource({"LIVE, true", "LIVE, false", "HISTORY, true", "HISTORY, false"})
  void aStageStandsInTheRowOfItsScan(Where where, boolean adaptive) {
    List<Row> rows = joined(where, adaptive);
    assertThat(rows).extracting(Row::status).containsOnly("COMPLETED");
    assertThat(rows).hasSize(3);
    Row stage = rows.get(0);
    assertThat(stage.part()).matches("(?s)BatchScan mooring [^\n]*/lineitem]\nMooringStage \\[.*");
    assertThat(stage.stage())
        .startsWith("BroadcastHashJoin, Project, HashAggregate\ncomputed by: ");
    assertComputed(stage);
    assertThat(stage.figures()).contains("file splits ");
  }

  /** The rows of the scans. With a GPU one task computes the aggregate, in a row above them. */
  private static List<Row> joined(Where where, boolean adaptive) {
    List<Row> rows = run.page(where).of("joined, adaptive " + adaptive);
    if (!RequiresGpu.Condition.gpuIsThere()) {
      return rows;
    }
    assertThat(rows.get(0).part()).startsWith("MooringFinalStage\n");
    assertThat(rows.get(0).stage())
        .startsWith("HashAggregate\npartial groups merged on the GPU: ")
        .containsPattern("\nrows out of the final operators on the GPU: [1-9]");
    return rows.subList(1, rows.size());
  }

  /** Without a GPU, Spark's operators computed everything, and the reason is there. */
  private static void assertComputed(Row stage) {
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(stage.readBy()).isEqualTo("GPU");
      assertThat(stage.stage())
          .contains("computed by: GPU\n")
          .containsPattern("rows into operators on the GPU: [1-9]")
          .containsPattern("time of operators on the GPU: [\\d.]+ m?s")
          .doesNotContain("(min");
      assertThat(stage.why()).isEmpty();
    } else {
      assertThat(stage.readBy()).isEqualTo("Spark's reader");
      assertThat(stage.stage())
          .contains("computed by: Spark's operators\n")
          .containsPattern("\nrows out of the stage: \\d+")
          .containsPattern("\nfile splits computed by Spark's operators: [1-9]");
      assertThat(stage.why()).contains("there is no usable GPU");
    }
  }

  @ParameterizedTest
  @CsvSource({"LIVE, true", "LIVE, false", "HISTORY, true", "HISTORY, false"})
  void aBuildSideThatExecutorsReadHasARowAboveItsScan(Where where, boolean adaptive) {
    List<Row> rows = joined(where, adaptive);
    Row build = rows.get(1);
    assertThat(build.part())
        .startsWith("Replicated [o_orderkey#")
        .contains(
            "\nReplicated [o_orderkey#", ", reads the build side on every executor, estimated ");
    assertThat(build.readBy()).isEqualTo("every executor");
    assertThat(build.stage()).isEmpty();
    assertThat(build.figures())
        .matches(
            "builds: 1\nrows of the build side, read by all executors: 2,000\n"
                + "data size: [\\d.]+ KiB\ntime to build: [^\n]+s");
    Row below = rows.get(2);
    assertThat(below.part()).contains("/orders]\nMooringStage []");
    assertThat(below.stage()).startsWith("no operator\n");
    assertThat(below.isIndented()).isTrue();
    assertThat(rows.get(0).isIndented() || build.isIndented()).isFalse();
    if (!RequiresGpu.Condition.gpuIsThere()) {
      assertThat(below.why()).isEqualTo("fell back, as above");
    }
  }

  @ParameterizedTest
  @CsvSource({"LIVE, true", "LIVE, false", "HISTORY, true", "HISTORY, false"})
  void theOperatorThatAStageEndsBelowIsShownWithTheReason(Where where, boolean adaptive) {
    assertThat(run.page(where).of("ended, adaptive " + adaptive))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.stage()).startsWith("Filter\n");
              assertThat(row.why()).startsWith("ends below: Project: expression soundex");
              assertThat(row.why().lines().findFirst().orElseThrow()).endsWith("soundex");
              assertThat(row.query()).contains("HashAggregate", "Exchange", "Project");
            });
  }

  @ParameterizedTest
  @CsvSource({"LIVE, true", "LIVE, false", "HISTORY, true", "HISTORY, false"})
  void aFinalStageStandsAboveTheStageOfItsGroups(Where where, boolean adaptive) {
    List<Row> rows = run.page(where).of("whole, adaptive " + adaptive);
    assertThat(rows).hasSize(4);
    assertThat(rows.get(0).part()).startsWith("MooringFinalStage\n");
    assertThat(rows.get(0).stage())
        .startsWith("HashAggregate\npartial groups merged on the GPU: ")
        .containsPattern(RequiresGpu.Condition.gpuIsThere() ? "GPU: [1-9]" : "GPU: 0");
    assertThat(rows.get(1).stage()).startsWith("BroadcastHashJoin, Project, HashAggregate\n");
    // All of the query is in its stages.
    assertThat(rows.get(0).query()).doesNotContain("HashAggregate", "Mooring", "Replicated");
  }

  /** The names of users are in plans, and may look like plans and like markup. */
  @ParameterizedTest
  @EnumSource
  void namesThatLookLikePlansAreText(Where where) {
    assertThat(run.page(where).page())
        .contains(Markup.text(StagesRun.HOSTILE).toString())
        .doesNotContain(StagesRun.HOSTILE);
    assertThat(run.page(where).of("hostile"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.part()).startsWith("BatchScan mooring ").contains("/hostile]\n");
              assertThat(row.stage()).startsWith("Filter\n");
              assertThat(row.why())
                  .startsWith("ends below: Project: type STRUCT<`" + StagesRun.HOSTILE + "`");
            });
  }

  /** Spark's own store of a query has metrics only when the query has ended. */
  @Test
  void aQueryThatRunsShowsTheStagesThatHaveRun() {
    List<Row> rows = run.amid().of("amid");
    assertThat(rows).hasSize(3).allMatch(row -> row.status().equals("RUNNING"));
    assertThat(rows.get(0).stage())
        .startsWith("BroadcastHashJoin, Project, HashAggregate\n")
        .containsPattern("rows out of the stage: [1-9]");
    assertThat(rows.get(1).figures()).contains("builds: 1");
  }

  @Test
  void theHistoryServerShowsWhatTheApplicationDid() {
    assertThat(run.page(Where.HISTORY).all()).isEqualTo(run.page(Where.LIVE).all());
  }
}
