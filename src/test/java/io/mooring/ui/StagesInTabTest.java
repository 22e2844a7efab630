package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.ui.TabRows.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stages and build sides in the tab: of a running application, in the middle of a query and at the
 * end, and of its event log. With MOORING_SCREENSHOTS a browser's picture goes into that folder.
 */
@Tag("forked")
class StagesInTabTest {
  private static final String HOSTILE = "<b> over BatchScan ends below: ]";
  private static final String JOIN =
      "select o_priority, count(*) n from lineitem join orders on l_orderkey = o_orderkey"
          + " where l_partkey > 5 group by o_priority";
  // Static, because functions travel to tasks.
  private static final CountDownLatch AMID = new CountDownLatch(1);
  private static final CountDownLatch SEEN = new CountDownLatch(1);

  /** Where the tab was seen. */
  enum Where {
    LIVE,
    HISTORY
  }

  @TempDir static Path folder;

  private static final Map<Where, TabRows> PAGES = new EnumMap<>(Where.class);
  private static TabRows amid;

  @BeforeAll
  static void runQueriesAndReplayThem() throws Exception {
    Path events = Files.createDirectories(folder.resolve("events"));
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), settings(events));
    String application = spark.sparkContext().applicationId();
    try {
      ReplicatedTables.create(spark, folder);
      String tab = spark.sparkContext().uiWebUrl().get() + "/mooring/";
      queries(spark);
      amid = amidAQuery(spark, tab);
      PAGES.put(Where.LIVE, last(tab));
      photograph(tab);
    } finally {
      spark.stop();
    }
    try (HistoryServers server = new HistoryServers(events, Map.of())) {
      server.awaitListed(application);
      PAGES.put(Where.HISTORY, new TabRows(Web.get(server.tab(application))));
    }
  }

  private static Map<String, String> settings(Path events) {
    Map<String, String> settings = new HashMap<>(ReplicatedTables.SETTINGS);
    settings.put("spark.mooring.sql.singleTaskAggregates", "auto");
    settings.put("spark.mooring.ui.reportInterval", "50ms");
    settings.put("spark.ui.enabled", "true");
    settings.put("spark.ui.port", "0");
    settings.put("spark.eventLog.enabled", "true");
    settings.put("spark.eventLog.compress", "false");
    settings.put("spark.eventLog.rolling.enabled", "false");
    settings.put("spark.eventLog.dir", events.toUri().toString());
    return settings;
  }

  private static void queries(SparkSession spark) {
    for (String adaptive : List.of("true", "false")) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> {
            run(spark, "joined, adaptive " + adaptive, JOIN);
            run(
                spark,
                "ended, adaptive " + adaptive,
                "select upper(x), count(*) from (select regexp_replace(p_type, '[aeiou]+', '') x"
                    + " from part where p_partkey + 1 > 5 and length(p_type) > 2) group by 1");
            Sessions.with(
                spark,
                "spark.mooring.sql.singleTaskAggregates",
                "always",
                () -> run(spark, "whole, adaptive " + adaptive, JOIN));
          });
    }
    String path = folder.resolve("hostile").toString();
    spark.range(100).selectExpr("id", "id `" + HOSTILE + "`").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("hostile");
    run(
        spark,
        "hostile",
        "select named_struct('"
            + HOSTILE
            + "', `"
            + HOSTILE
            + "`) s from hostile where `"
            + HOSTILE
            + "` * 2 > 4 and id % 3 > 0");
  }

  private static void run(SparkSession spark, String description, String query) {
    spark.sparkContext().setJobDescription(description);
    spark.sql(query).collectAsList();
  }

  /** The page while the second query stage of an adaptive query runs. */
  private static TabRows amidAQuery(SparkSession spark, String tab) throws Exception {
    UDF1<String, String> held =
        text -> {
          AMID.countDown();
          assertThat(SEEN.await(60, TimeUnit.SECONDS)).isTrue();
          return text;
        };
    spark.udf().register("held", held, DataTypes.StringType);
    CompletableFuture<Void> query =
        CompletableFuture.runAsync(
            () -> run(spark, "amid", "select held(o_priority), n from (" + JOIN + ")"));
    try {
      assertThat(AMID.await(60, TimeUnit.SECONDS)).isTrue();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> new TabRows(Web.get(tab)).of("amid").toString().contains("builds: 1"));
      return new TabRows(Web.get(tab));
    } finally {
      SEEN.countDown();
      query.get(60, TimeUnit.SECONDS);
    }
  }

  private static TabRows last(String tab) throws Exception {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !Web.get(tab).contains("RUNNING") && !Web.get(tab).contains("not reported"));
    return new TabRows(Web.get(tab));
  }

  private static void photograph(String tab) throws Exception {
    String images = System.getenv("MOORING_SCREENSHOTS");
    Optional<Browser> browser = Browser.find(folder);
    if (images != null && browser.isPresent()) {
      browser.get().screenshot(tab, Path.of(images, "stages.png"));
    }
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
    List<Row> rows = PAGES.get(where).of("joined, adaptive " + adaptive);
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
    assertThat(PAGES.get(where).of("ended, adaptive " + adaptive))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.stage()).startsWith("Filter\n");
              assertThat(row.why()).startsWith("ends below: Project: expression regexp_replace");
              assertThat(row.why().lines().findFirst().orElseThrow()).endsWith("regexp_replace");
              assertThat(row.query()).contains("HashAggregate", "Exchange", "Project");
            });
  }

  @ParameterizedTest
  @CsvSource({"LIVE, true", "LIVE, false", "HISTORY, true", "HISTORY, false"})
  void aFinalStageStandsAboveTheStageOfItsGroups(Where where, boolean adaptive) {
    List<Row> rows = PAGES.get(where).of("whole, adaptive " + adaptive);
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
    assertThat(PAGES.get(where).page())
        .contains(Markup.text(HOSTILE).toString())
        .doesNotContain(HOSTILE);
    assertThat(PAGES.get(where).of("hostile"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.part()).startsWith("BatchScan mooring ").contains("/hostile]\n");
              assertThat(row.stage()).startsWith("Filter\n");
              assertThat(row.why())
                  .startsWith("ends below: Project: type STRUCT<`" + HOSTILE + "`");
            });
  }

  /** Spark's own store of a query has metrics only when the query has ended. */
  @Test
  void aQueryThatRunsShowsTheStagesThatHaveRun() {
    List<Row> rows = amid.of("amid");
    assertThat(rows).hasSize(3).allMatch(row -> row.status().equals("RUNNING"));
    assertThat(rows.get(0).stage())
        .startsWith("BroadcastHashJoin, Project, HashAggregate\n")
        .containsPattern("rows out of the stage: [1-9]");
    assertThat(rows.get(1).figures()).contains("builds: 1");
  }

  @Test
  void theHistoryServerShowsWhatTheApplicationDid() {
    assertThat(PAGES.get(Where.HISTORY).all()).isEqualTo(PAGES.get(Where.LIVE).all());
  }
}
