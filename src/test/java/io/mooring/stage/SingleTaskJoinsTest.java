package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins in which groups of one task find their rows: the task joins, and nothing is exchanged. */
@Tag("extended")
class SingleTaskJoinsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  /** Orders and lines by customer. */
  private static final String GROUPS =
      "with o as (select o_custkey k, count(*) n, max(o_date) d from orders group by 1), l as (select"
          + " o_custkey k, sum(l_price) v from orders join lineitem on o_orderkey = l_orderkey group"
          + " by 1) ";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        ReplicatedTables.session(
            folder, Map.of("spark.mooring.sql.singleTaskAggregates", "always"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<SparkPlan> joining(Dataset<Row> data) {
    return Stages.finalWith(data, "BroadcastHashJoin");
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ broadcast(customer) */ k, n, c_segment from o join customer on k = c_custkey",
        "select k, n, c_segment from o left join customer on k = c_custkey and n > 6",
        "select k, n, c_segment from customer right join o on k = c_custkey",
        "select k, n from o where exists (select * from customer where c_custkey = k and c_balance >"
            + " n * 50.0)",
        "select k, n from o where not exists (select * from customer where c_custkey = k and c_balance"
            + " > n * 50.0)",
        "select k, n, n in (select c_balance % 9 from customer where c_balance > 500) from o",
        "select o.k, n, d, v from o join l on o.k = l.k where v > n * 100",
        "select o.k, n, v, c_segment from o left join l on o.k = l.k and v > 3000 left join customer on"
            + " o.k = c_custkey",
        "select n, l_price from o left join lineitem on o.k = l_partkey",
        "select o.k, n, v from o left join l on o.k <=> l.k",
        "select k, n from o intersect select k, bigint(v % 9) from l",
        "select k, d from o except select o_custkey, o_date from orders where o_priority = 'priority 1'",
        "select c_segment, sum(n), max(d) from o left join customer on k = c_custkey group by 1",
        "select c_segment, round(stddev(c_balance) * 0.318309886183D, 3) from o left join customer on k ="
            + " c_custkey group by 1",
        "select c_segment, count(distinct n) from o left join customer on k = c_custkey group by 1"
            + " having count(*) > 3",
        "select k, n, c_segment from o left join customer on k = c_custkey where n > (select avg(n)"
            + " from o)",
        "select k, n, c_segment from o left join customer on k = c_custkey order by n desc, k limit 9",
        "select k, n, c_segment from o left join customer on k = c_custkey and c_balance < 0"
      })
  void joinOfGroups_isInTheirTask(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          ADAPTIVE,
          adaptive,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, GROUPS + query).assertOurs();
            String plan = both.ours().queryExecution().executedPlan().toString();
            assertThat(joining(both.ours())).as(plan).isNotEmpty().allMatch(Stages::canFallBack);
            assertThat(plan).doesNotContain("Exchange hashpartitioning", "SortMergeJoin");
            if (RequiresGpu.Condition.gpuIsThere()) {
              Stages.assertOnGpuAlone(both.ours());
            }
          });
    }
  }

  /** Without a broadcast by size, Spark 4.2 plans no hash join for it. */
  @Test
  void notInOfGroups_isInTheirTask() {
    Sessions.with(
        spark,
        Map.of("spark.sql.autoBroadcastJoinThreshold", "10m", ADAPTIVE, "false"),
        () -> {
          WithAndWithout both =
              WithAndWithout.run(
                      spark,
                      GROUPS
                          + "select k, n from o where n not in (select bigint(c_balance) from customer)")
                  .assertOurs();
          assertThat(joining(both.ours())).isNotEmpty();
        });
  }

  /** The same rows again and again, also from a plan that Spark has copied. */
  @Test
  void plan_thatIsUsedAgain_givesTheSameRows() {
    Stages.assertRunsAgainAndCached(
        spark, GROUPS + "select o.k, n, v from o join l on o.k = l.k where n > 2");
  }

  /** Some 35 million pairs of 50 bytes: the join takes its groups in slices. */
  @RequiresGpu
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select o.n, count(*), sum(b.v), max(d), round(stddev(b.v % 1000) * 0.318309886183D, 3) from o left"
            + " join big b on o.n = b.n group by o.n",
        "select count(*), sum(b.v), min(k) from o left join big b on o.n = b.n",
        "select k, o.n, b.v from o left join big b on o.n = b.n order by v desc, k limit 7 offset 3",
        "select n, count(*) from (select k, o.n, b.v from o left join big b on o.n = b.n order by v, k"
            + " limit 1000) group by n"
      })
  void joinOfGroups_withMoreRowsThanAtOnce_isPutTogether(String query) {
    spark
        .range(800_000)
        .selectExpr("id % 8 n", "id v")
        .write()
        .mode("overwrite")
        .parquet(folder.resolve("big").toString());
    spark.read().parquet(folder.resolve("big").toString()).createOrReplaceTempView("big");
    WithAndWithout both = WithAndWithout.run(spark, GROUPS + query).assertOurs();
    assertThat(joining(both.ours())).isNotEmpty();
    Stages.assertOnGpuAlone(both.ours());
  }

  /**
   * An aggregate of joined groups that Spark computes in three steps: the first two are in the
   * task.
   */
  @Test
  void varianceBesideADistinctFunction_isMergedInTheTask() {
    String query =
        GROUPS
            + "select c_segment, array_sort(array_agg(distinct c_nationkey)), round(stddev(c_balance) *"
            + " 0.318309886183D, 3) from (select k, n from o order by n desc, k limit 200) g left join"
            + " customer on g.k = c_custkey group by c_segment";
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    assertThat(joining(both.ours()))
        .isNotEmpty()
        .allMatch(node -> node.simpleString(0).matches(".*Join.*Aggregate.*"));
    if (RequiresGpu.Condition.gpuIsThere()) {
      Stages.assertOnGpuAlone(both.ours());
    }
  }

  /** A join that no GPU computes stands above the groups of one task, as Spark plans it. */
  @Test
  void joinThatTheGpuDoesNotCompute_isSparks() {
    String query =
        GROUPS
            + "select k, n from o join (select *, split(c_segment, ' ') a from customer) on k ="
            + " c_custkey and size(a) > 1";
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    assertThat(joining(both.ours())).isEmpty();
    assertThat(Plans.nodes(both.ours(), MooringFinalStageExec.class::isInstance)).hasSize(1);
  }
}
