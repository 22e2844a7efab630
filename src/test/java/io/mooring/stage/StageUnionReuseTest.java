package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stages of a union's children share broadcasts, exchanges and subqueries, so that a query
 * takes no more jobs than without stages.
 */
@Tag("extended")
class StageUnionReuseTest {
  private static final String JOIN = "BroadcastHashJoin";
  private static final String SALES = UnionTables.SALES;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = UnionTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static void inEachWay(Runnable work) {
    Stages.inEachWay(spark, work);
  }

  private static Dataset<Row> ours(String query) {
    return WithAndWithout.run(spark, query).ours();
  }

  @Test
  void broadcastsAreNotMadeTwiceWhereSparkWouldNotReuseThem() {
    String query =
        "select i.name, count(*) from "
            + SALES
            + " s join items i on s.item = i.item group by i.name";
    Sessions.with(
        spark,
        "spark.sql.exchange.reuse",
        "false",
        () ->
            inEachWay(
                () -> {
                  Dataset<Row> ours = ours(query);
                  assertThat(Stages.with(ours, JOIN + ",")).isEmpty();
                  assertThat(Plans.count(ours, "BroadcastExchange")).isEqualTo(1);
                }));
  }

  /**
   * Compiled: such a filter of a table without partitions fails in Spark where it is interpreted.
   */
  @Test
  void partitionsArePrunedAtRunTimeBelowAUnion() {
    String query =
        "select i.name, count(*), sum(p.v) from (select part, v from parts union all"
            + " select item, id from web) p join items i on p.part = i.item"
            + " where i.name = 'n1' group by i.name";
    Runnable each =
        () -> {
          Dataset<Row> ours = ours(query);
          assertThat(Stages.with(ours, JOIN)).hasSize(2);
          // The files of some folders of ten, which have one each, and those of the other tables.
          assertThat(ScanResults.filesRead(ours)).isLessThan(10);
          Stages.assertAsManyJobsAsWithout(spark, query);
        };
    Sessions.with(spark, Interpreted.COMPILED, () -> inEachWay(each));
  }

  @Test
  void equalUnionsAreReused() {
    String one = "select item, count(*) c from " + SALES + " group by item";
    String query = "select * from (" + one + ") a join (" + one + ") b on a.c = b.c";
    inEachWay(() -> WithAndWithout.run(spark, query).assertEqualCounts("ReusedExchange"));
  }

  @Test
  void subqueriesAreRunOnce() {
    String query =
        "select i.name, count(*) from "
            + SALES
            + " s join items i on s.item = i.item and s.price + i.item > (select avg(id) from web)"
            + " group by i.name";
    inEachWay(
        () -> {
          assertThat(Stages.with(ours(query), JOIN)).hasSize(2);
          Stages.assertAsManyJobsAsWithout(spark, query);
        });
  }

  @Test
  void aCachedPlanAndOneThatRunsAgainAreRight() {
    String query = "select item, sum(price) from " + SALES + " group by item";
    inEachWay(() -> Stages.assertRunsAgainAndCached(spark, query));
  }
}
