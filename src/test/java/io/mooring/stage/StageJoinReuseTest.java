package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins in stages make broadcasts, exchanges and subqueries once, as Spark's own joins do. */
@Tag("extended")
class StageJoinReuseTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = StarTables.session(folder);
    // With a GPU executors would read the build sides themselves.
    spark.conf().set("spark.mooring.sql.replicatedJoins", "never");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** The stages of a query that have joins. */
  private static List<MooringStageExec> joined(Dataset<Row> data) {
    return Stages.with(data, "BroadcastHashJoin");
  }

  private static void inEachWay(Runnable work) {
    Stages.inEachWay(spark, work);
  }

  @Test
  void aBroadcastThatTwoJoinsShareIsMadeOnce() {
    String query =
        "select count(*), sum(a.cost), max(b.name) from facts f"
            + " join items a on f.item = a.item join items b on cast(f.shop as int) = b.item";
    inEachWay(
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          both.assertEqualCounts("BroadcastExchange", "ReusedExchange");
          assertThat(joined(both.ours()).get(0).children().size()).isEqualTo(2);
          Stages.assertAsManyJobsAsWithout(spark, query);
        });
  }

  @Test
  void aPlanShowsABroadcastOnce() {
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        "false",
        () -> {
          Dataset<Row> data =
              spark.sql("select f.id, i.name from facts f join items i on f.item = i.item");
          String plan = data.queryExecution().executedPlan().toString();
          assertThat(plan).contains("StageInput [item");
          assertThat(plan.split("BroadcastExchange", -1)).as(plan).hasSize(2);
          assertThat(
                  data.queryExecution()
                      .explainString(
                          org.apache.spark.sql.execution.ExplainMode.fromString("formatted")))
              .contains("MooringStage", "BroadcastExchange");
        });
  }

  @Test
  void subqueriesInJoinConditionsAreRunOnce() {
    String query =
        "select f.id, i.name from facts f join items i on f.item = i.item"
            + " and f.price + i.cost > (select avg(cost) from items) where f.id + 1 > 50";
    inEachWay(
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(joined(both.ours())).hasSize(1);
          both.assertEqualCounts("Subquery", "ReusedSubquery");
        });
  }

  @Test
  void exchangesAboveEqualStagesAreReused() {
    String one =
        "select i.name, count(*) c from facts f join items i on f.item = i.item group by i.name";
    String query = "select * from (" + one + ") a join (" + one + ") b on a.c = b.c";
    inEachWay(
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          both.assertEqualCounts("ReusedExchange");
          assertThat(Plans.count(both.ours(), "MooringStage")).isPositive();
        });
  }

  @Test
  void aCachedPlanAndOneThatRunsAgainAreRight() {
    String query =
        "select i.name, sum(f.price) from facts f join items i on f.item = i.item group by i.name";
    inEachWay(() -> Stages.assertRunsAgainAndCached(spark, query));
  }
}
