package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedExec;
import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which build sides Spark broadcasts, and which every executor reads instead. */
@Tag("extended")
class ReplicatedOrBroadcastTest {
  private static final String BROADCAST = "spark.sql.autoBroadcastJoinThreshold";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ReplicatedTables.session(folder);
    String many = folder.resolve("many").toString();
    spark.range(150_000).selectExpr("id k", "concat('t', id) t").coalesce(1).write().parquet(many);
    spark.read().parquet(many).createOrReplaceTempView("many");
    String parts = folder.resolve("parts").toString();
    spark.range(60).selectExpr("id", "id % 6 p").write().partitionBy("p").parquet(parts);
    spark.read().parquet(parts).createOrReplaceTempView("parts");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<ReplicatedExec> replicated(String query) {
    return ReplicatedTables.replicated(spark.sql(query));
  }

  private static void with(Map<String, String> settings, Runnable work) {
    Sessions.with(spark, settings, work);
  }

  private static long bytes(String table) {
    return spark.table(table).queryExecution().optimizedPlan().stats().sizeInBytes().toLong();
  }

  /** Else they would be exchanged before they look rows up. */
  @Test
  void groupsAreReadByAllWhereSparkBroadcastsTheOtherSide() {
    String query =
        "select * from nation join (select l_orderkey, sum(l_price) s from lineitem group by"
            + " l_orderkey) on n_nationkey = l_orderkey";
    with(
        Map.of(BROADCAST, String.valueOf(bytes("nation"))),
        () -> {
          assertThat(replicated(query))
              .singleElement()
              .satisfies(it -> assertThat(it.child().output().mkString()).contains("l_orderkey"));
          WithAndWithout.run(spark, query).assertOurs();
        });
  }

  /** Few rows too: a broadcast is a job of its own, after which adaptive execution plans anew. */
  @Test
  void whatSparkWouldBroadcastForItsSizeIsReadByAll() {
    String query =
        "select o_date, c_balance, n_name from orders join customer on o_custkey = c_custkey"
            + " join nation on c_nationkey = n_nationkey";
    for (String threshold : List.of(String.valueOf(bytes("nation")), "100m")) {
      for (String adaptive : List.of("true", "false")) {
        with(
            Map.of("spark.sql.adaptive.enabled", adaptive, BROADCAST, threshold),
            () -> {
              WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
              assertThat(ReplicatedTables.replicated(both.ours())).hasSize(2);
              assertThat(Plans.count(both.ours(), "BroadcastExchange")).isZero();
              assertThat(Plans.count(both.sparks(), "BroadcastExchange")).isNotZero();
              assertThat(Plans.count(both.ours(), "Exchange")).isZero();
            });
      }
    }
  }

  /** Which Spark would collect on the driver, row by row, although their files are small. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), sum(a.k + b.k) from many a join many b on a.k = b.k + 9",
        "select count(*), count(k) from lineitem left join many on l_orderkey = k and l_suppkey <"
            + " 9",
        "select count(*) from lineitem where exists (select 1 from many where k = l_orderkey)",
        "select count(*) from many right join lineitem on l_orderkey = k",
        "select a.t, b.k, c_balance from many a join many b on a.k = b.k + 9"
            + " join customer on a.k = c_custkey"
      })
  void manyRowsAreReadByAll(String query) {
    for (String adaptive : Matrix.both(query)) {
      with(
          Map.of("spark.sql.adaptive.enabled", adaptive, BROADCAST, "10m"),
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
            List<ReplicatedExec> all = ReplicatedTables.replicated(both.ours());
            assertThat(all).anyMatch(it -> it.child().output().mkString().contains("k#"));
            assertThat(Plans.count(both.sparks(), "BroadcastExchange")).isEqualTo(all.size());
            assertThat(Plans.count(both.ours(), "BroadcastExchange")).isZero();
          });
    }
  }

  /** The join would be on the host, and there one task alone would hash the rows. */
  @Test
  void manyRowsAreBroadcastWhereNoStageWouldLookThemUp() {
    String query =
        "select count(*), sum(s) from (select l_orderkey, sum(l_suppkey) s from lineitem"
            + " group by l_orderkey) left join many on l_orderkey = k";
    with(Map.of(BROADCAST, "10m"), () -> assertThat(replicated(query)).isEmpty());
  }

  @Test
  void hintsToBroadcastManyRowsAreFollowed() {
    String query = "select /*+ broadcast(many) */ k from lineitem join many on l_orderkey = k";
    with(Map.of(BROADCAST, "10m"), () -> assertThat(replicated(query)).isEmpty());
  }

  /** By dynamic pruning, which uses broadcasts of Spark's alone. */
  @Test
  void whatPrunesPartitionsIsBroadcast() {
    String query = "select count(*) from parts where p in (select int(k) from many where t = 't4')";
    with(
        Map.of(BROADCAST, "10m", "spark.sql.adaptive.enabled", "false"),
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(both.ours().queryExecution().executedPlan().toString())
              .contains("dynamicpruningexpression(p#");
          assertThat(ReplicatedTables.replicated(both.ours())).isEmpty();
        });
  }

  /** Nation is broadcast by Spark within a side that every executor reads. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aBuildSideMayHoldABroadcastOfSparks(String adaptive) {
    String query =
        "select l_price, n_name from lineitem join (select * from supplier join nation on"
            + " s_nationkey = n_nationkey) on l_suppkey = s_suppkey";
    with(
        Map.of("spark.sql.adaptive.enabled", adaptive),
        () -> {
          String hinted =
              query.replace("select * from sup", "select /*+ broadcast(nation) */ * from sup");
          WithAndWithout both = WithAndWithout.run(spark, hinted).assertOurs();
          String plan = both.ours().queryExecution().executedPlan().toString();
          assertThat(ReplicatedTables.replicated(both.ours())).as(plan).hasSize(1);
          assertThat(Plans.count(both.ours(), "BroadcastExchange")).as(plan).isEqualTo(1);
          assertThat(Plans.count(both.ours(), "Exchange")).as(plan).isZero();
        });
  }
}
