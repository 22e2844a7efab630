package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins whose plan changes when adaptive execution has measured what is below them. */
@Tag("extended")
class MeasuredSizesTest {
  private static final String MOST = "spark.mooring.sql.replicatedJoins.maxBuildSize";
  private static final String MEASURED = "spark.sql.adaptive.autoBroadcastJoinThreshold";

  /** Groups that Spark exchanges, because a sum of doubles depends on the order of rows. */
  private static final String GROUPS =
      "select o_orderkey, s from orders join (select l_orderkey, sum(double(l_price)) s from lineitem"
          + " where l_price > %d group by l_orderkey) on o_orderkey = l_orderkey";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ReplicatedTables.session(folder, Map.of("spark.sql.adaptive.enabled", "true"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** By estimate the groups are many; few of them are broadcast, and the orders are streamed. */
  @Test
  void fewGroupsAreBroadcastInsteadOfReplicatingTheOtherSide() {
    String few = GROUPS.formatted(995);
    assertThat(plannedByEstimate(few)).contains("Replicated [");
    Sessions.with(
        spark,
        MEASURED,
        "4k",
        () -> {
          assertThat(plannedByEstimate(few)).contains("Replicated [");
          Dataset<Row> ours = WithAndWithout.run(spark, few).assertOurs().ours();
          assertThat(ReplicatedTables.replicated(ours)).isEmpty();
          assertThat(Plans.count(ours, "BroadcastExchange")).isEqualTo(1);
        });
  }

  @Test
  void manyGroupsLeaveTheOtherSideReplicated() {
    Sessions.with(
        spark,
        MEASURED,
        "4k",
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, GROUPS.formatted(0)).assertOurs().ours();
          assertThat(ReplicatedTables.replicated(ours)).hasSize(1);
          assertThat(Plans.count(ours, "BroadcastExchange")).isZero();
        });
  }

  /** A filter counts as keeping all rows, until the broadcast of those it keeps has been made. */
  @Test
  void aBuildSideWithFewRowsOfABroadcastFits() {
    Sessions.with(spark, MOST, "60k", () -> assertReplicated("date'1995-01-03'", 1));
  }

  @Test
  void aBuildSideWithManyRowsOfABroadcastIsExchanged() {
    Sessions.with(spark, MOST, "60k", () -> assertReplicated("date'1999-01-01'", 0));
  }

  /** The build sides of a join with orders until a date, by estimate none. */
  private static void assertReplicated(String until, int buildSides) {
    String query =
        "select /*+ broadcast(o) */ l_price, n_name from lineitem left join (nation join (select"
            + " o_orderkey, o_custkey from orders where o_date < "
            + until
            + ") o on n_nationkey = o_custkey) on l_orderkey = o_orderkey";
    assertThat(plannedByEstimate(query)).doesNotContain("Replicated [");
    Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
    String plan = ours.queryExecution().executedPlan().toString();
    assertThat(ReplicatedTables.replicated(ours)).as(plan).hasSize(buildSides);
    assertThat(Plans.count(ours, "Exchange")).isEqualTo(2 - buildSides);
  }

  /** The plan before anything has run. */
  private static String plannedByEstimate(String query) {
    String plan = spark.sql(query).queryExecution().executedPlan().toString();
    assertThat(plan).contains("isFinalPlan=false");
    return plan;
  }
}
