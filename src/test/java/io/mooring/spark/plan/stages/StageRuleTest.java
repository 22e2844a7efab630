package io.mooring.spark.plan.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.MooringStageExec;
import io.mooring.stage.Stages;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where stages are put in plans. Without a GPU Spark's operators compute all of their rows. */
class StageRuleTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String STAGES = "spark.mooring.sql.stages";
  private static final String GROUPED =
      "select flag, avg(price) a, round(stddev(weight), 6) s, count(*) c from sales group by flag";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    write("sales", 5000, 3);
    write("few", 100, 1);
    spark
        .range(3000)
        .selectExpr("id", "cast(id * 7 % 1000 as decimal(12,2)) price", "cast(id % 10 as int) part")
        .write()
        .partitionBy("part")
        .parquet(folder.resolve("parts").toString());
    spark
        .range(10)
        .selectExpr("cast(id as int) part", "concat('p', id % 3) name")
        .write()
        .parquet(folder.resolve("names").toString());
    for (String table : List.of("parts", "names")) {
      spark.read().parquet(folder.resolve(table).toString()).createOrReplaceTempView(table);
    }
  }

  private static void write(String table, int rows, int files) {
    String path = folder.resolve(table).toString();
    spark
        .range(0, rows, 1, files)
        .selectExpr(
            "id",
            "concat('f', id % 5) flag",
            "if(id % 7 = 0, null, cast(id * 13 % 10007 as decimal(12,2))) price",
            "cast(id % 11 as decimal(4,2)) / 100 discount",
            "if(id % 9 = 0, null, id * 0.5D) weight",
            "date_add(date'2020-01-01', cast(id % 700 as int)) day",
            "concat('text ', id % 23, if(id % 4 = 0, 'ä', '')) text")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void clear() {
    spark.catalog().clearCache();
  }

  private static List<MooringStageExec> stages(Dataset<Row> data) {
    return Stages.of(data);
  }

  private static Dataset<Row> collected(String query) {
    Dataset<Row> data = spark.sql(query);
    data.collect();
    return data;
  }

  private static String text(SparkPlan plan) {
    return plan.simpleString(1000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void partialAggregatesAreInAStage(String adaptive) {
    Sessions.with(
        spark,
        ADAPTIVE,
        adaptive,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, GROUPED).assertOurs();
          MooringStageExec stage = stages(both.ours()).get(0);
          assertThat(text(stage)).contains("[HashAggregate] over", "MooringScan");
          assertThat(stages(both.ours())).hasSize(1);
          assertThat(stages(both.sparks())).isEmpty();
          both.assertEqualCounts("Exchange", "HashAggregate");
        });
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select distinct flag, day from sales",
        "select flag, count(distinct text) from sales group by flag",
        "select flag, count(distinct text), count(text), max(weight) from sales group by flag",
        "select avg(price), round(stddev_pop(weight), 6), round(var_samp(weight), 4), count(text)"
            + " from sales",
        "select flag, sum(price) filter (where id < 100) from sales group by flag",
        "select avg(price) from few",
        "select flag, avg(price), min(text) from few group by flag",
        "select avg(price) from sales where id < 0 and day > '2020-01-01'"
      })
  void aggregatesOfManyShapesAreRight(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          Map.of(ADAPTIVE, adaptive, "spark.mooring.sql.pushdown", "never"),
          () -> assertThat(stages(WithAndWithout.run(spark, query).ours())).isNotEmpty());
    }
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select flag, day, sum(price), grouping_id() from sales group by rollup(flag, day)",
        "select flag, day, count(*), avg(weight) from sales where id + 1 > 7 group by cube(flag,"
            + " day)",
        "select flag, id % 3 k, sum(price) from sales"
            + " group by grouping sets ((flag, id % 3), (flag), (flag), ())",
        "select flag, count(distinct text), count(distinct day), sum(price) from sales group by"
            + " flag",
        "select count(distinct text), count(distinct day) filter (where id < 50) from sales",
        "select s.flag, f.text, sum(s.price * f.discount), max(f.text) from sales s join few f"
            + " on s.id % 100 = f.id group by rollup(s.flag, f.text)",
        "select flag, sum(v) from (select flag, price v, day from sales union all"
            + " select flag, discount, day from few) group by rollup(flag, day)"
      })
  void expandedRowsAreRight(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          Map.of(ADAPTIVE, adaptive, "spark.mooring.sql.pushdown", "never"),
          () -> {
            Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
            assertThat(stages(ours))
                .anySatisfy(
                    stage ->
                        assertThat(text(stage)).contains("Expand, ").contains("Aggregate] over"));
          });
    }
  }

  @Test
  void rowsAreNotMadeMoreWhereTheyAreNotGrouped() {
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            "select flag, day, sort_array(collect_list(id % 3)) from sales where id + 1 < 50"
                + " group by rollup(flag, day)");
    assertThat(stages(both.ours()))
        .isNotEmpty()
        .noneSatisfy(stage -> assertThat(text(stage)).contains("Expand,"));
  }

  @Test
  void groupsOfNothingAreNothing() {
    WithAndWithout.run(spark, "select flag, avg(price) from sales where id < 0 group by flag");
  }

  @Test
  void aStageEndsBelowWhatIsNotSupportedAndTellsWhy() {
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            "select flag, sort_array(collect_list(id % 3)) from sales where id + 1 < 50 group by"
                + " flag");
    assertThat(stages(both.ours()))
        .allSatisfy(
            stage ->
                assertThat(text(stage))
                    .contains("ends below: ObjectHashAggregate: function collect_list"));
  }

  @Test
  void explainShowsWhatAStageReplaced() {
    Dataset<Row> data = spark.sql(GROUPED);
    data.collect();
    String plan = data.queryExecution().toString();
    assertThat(plan).contains("MooringStage [HashAggregate]", "partial_avg(price");
    assertThat(
            data.queryExecution()
                .explainString(org.apache.spark.sql.execution.ExplainMode.fromString("formatted")))
        .contains("MooringStage");
  }

  @Test
  void columnsThatAreOnlyLeftOutMakeNoStage() {
    assertThat(stages(spark.sql("select price, flag from sales where id < 10"))).isEmpty();
    assertThat(stages(spark.sql("select flag f from sales"))).isEmpty();
  }

  @Test
  void settingsTurnStagesOff() {
    Sessions.with(spark, STAGES, "never", () -> assertThat(stages(spark.sql(GROUPED))).isEmpty());
  }

  @Test
  void rowsWhoseFileIsAskedForAreInNoStage() {
    String query =
        "select f, avg(price) from (select input_file_name() f, price from sales) group by f";
    assertThat(stages(WithAndWithout.run(spark, query).ours())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void exchangesAboveEqualStagesAreReused(String adaptive) {
    String query = "select * from (" + GROUPED + ") a join (" + GROUPED + ") b on a.c = b.c";
    Sessions.with(
        spark,
        ADAPTIVE,
        adaptive,
        () -> WithAndWithout.run(spark, query).assertEqualCounts("ReusedExchange"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void subqueriesAreRunOnceAndSeen(String adaptive) {
    String one = "(select avg(weight) from few)";
    String query =
        "select flag, avg(price), count(*) from sales where weight * 2 > "
            + one
            + " and weight + 1 > "
            + one
            + " group by flag";
    Sessions.with(
        spark,
        ADAPTIVE,
        adaptive,
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
          assertThat(stages(ours)).isNotEmpty();
          Dataset<Row> without = Sessions.with(spark, STAGES, "never", () -> collected(query));
          for (String node : List.of("Subquery", "ReusedSubquery")) {
            assertThat(Plans.count(ours, node)).as(node).isEqualTo(Plans.count(without, node));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void partitionsArePrunedAtRunTimeOfABroadcastThatIsReused(String adaptive) {
    String query =
        "select name, avg(price), count(*) from parts join names on parts.part = names.part"
            + " where name = 'p1' group by name";
    Sessions.with(
        spark,
        ADAPTIVE,
        adaptive,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          both.assertEqualCounts("BroadcastExchange", "ReusedExchange", "SubqueryBroadcast");
          // Three of ten folders, and the names.
          assertThat(ScanResults.filesRead(both.ours())).isLessThan(10);
        });
  }

  @Test
  void cachedPlansHaveStages() {
    Dataset<Row> cached = spark.sql(GROUPED).cache();
    List<String> rows = ScanResults.rows(cached);
    assertThat(ScanResults.rows(spark.sql(GROUPED))).isEqualTo(rows).hasSize(5);
    cached.unpersist();
    assertThat(ScanResults.rows(spark.sql(GROUPED))).isEqualTo(rows);
  }

  @Test
  void aPlanRunsAgain() {
    Dataset<Row> data = spark.sql(GROUPED);
    assertThat(ScanResults.rows(data)).isEqualTo(ScanResults.rows(data));
  }

  @Test
  void whatReliesOnTheOrderOfASortAggregateFindsIt() {
    String query = "select text, min(flag), count(*) from few group by text";
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.pushdown", "never", ADAPTIVE, "false"),
        () -> assertThat(stages(WithAndWithout.run(spark, query).ours())).hasSize(1));
  }

  @Test
  void rowsOfAStageAreCounted() {
    Dataset<Row> data = spark.sql(GROUPED);
    data.collect();
    SparkPlan stage = stages(data).get(0);
    assertThat(stage.metrics().apply("stageRowsOut").value()).isBetween(5L, 15L);
    assertThat(stage.metrics().contains("gpuFiles")).isTrue();
  }
}
