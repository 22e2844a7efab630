package io.mooring.spark.plan.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.Stages;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Spark reuses in plans it reuses in plans with stages: exchanges, sub-queries, broadcasts
 * that prune partitions, and cached or repeated plans.
 */
@Tag("extended")
class StageReuseTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String STAGES = "spark.mooring.sql.stages";
  private static final String GROUPED = SalesTables.GROUPED;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = SalesTables.session(folder);
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

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void clear() {
    spark.catalog().clearCache();
  }

  private static Dataset<Row> collected(String query) {
    Dataset<Row> data = spark.sql(query);
    data.collect();
    return data;
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
          assertThat(Stages.of(ours)).isNotEmpty();
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
}
