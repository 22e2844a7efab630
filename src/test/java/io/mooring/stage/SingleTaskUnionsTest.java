package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Jobs;
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

/** Aggregates of unions by one task: it merges the groups of a stage for each child. */
@Tag("extended")
class SingleTaskUnionsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  /** Customers, orders and lines under the same names, of different types. */
  private static final String ROWS =
      "with u as (select o_custkey k, o_date d, cast(o_orderkey as decimal(7,2)) v, o_priority s from orders"
          + " union all select c_custkey, null, cast(c_custkey as decimal(9,3)), c_segment from customer"
          + " union all select l_orderkey % 50, date'1996-02-03', l_price, 'line' from lineitem"
          + " where l_orderkey > 20) ";

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

  private static WithAndWithout run(String query) {
    WithAndWithout both = WithAndWithout.run(spark, ROWS + query).assertOurs();
    if (RequiresGpu.Condition.gpuIsThere()) {
      Stages.assertOnGpuAlone(both.ours());
    }
    return both;
  }

  private static List<SparkPlan> overUnions(Dataset<Row> data) {
    return Plans.nodes(
        data,
        node -> node instanceof MooringFinalStageExec && Stages.text(node).contains(" stages"));
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, sum(v), count(*), max(s), min(d) from u group by k",
        "select sum(v), avg(v), count(distinct k), max(d) from u",
        "select sum(v), count(*) from u where k > 1000000",
        "select double(k), count(*) from u group by 1",
        "select distinct k, s from u",
        "select s, count(distinct k) from u group by s",
        "select k, s, sum(v) from u group by rollup(k, s)",
        "select c_segment, sum(v), count(*) from u join customer on k = c_custkey group by c_segment",
        "select c_segment, sum(v) from u left join customer on k = c_custkey group by c_segment order by 2"
            + " desc limit 3",
        "select k from orders join (select o_custkey k from orders union select c_custkey from customer) on"
            + " o_custkey = k",
        "select a.k, a.v, b.v from (select k, sum(v) v from u group by k) a join (select k, max(v) v from u"
            + " where s < 'b' group by k) b on a.k = b.k",
        "select a.k, a.v, b.v from (select k, sum(v) v from u group by k) a full join (select k % 7 k, max(v) v"
            + " from u group by k % 7) b on a.k = b.k",
        "select k, v, rank() over (order by v) r from (select k, sum(v) v from u group by k)",
        "select k, sum(v) from u where d is null group by k having sum(v) > 3",
        "select n, count(*) from (select k, count(*) n from u group by k) group by n",
        "select o_custkey, count(*) from (select o_custkey from orders union all select o_custkey from orders"
            + " where o_orderkey % 3 = 0) group by 1",
        "select k, sum(v) from (select k, v from u union all select o_custkey * 2, 1.5 from orders where"
            + " o_orderkey > 40) where v > 1 group by k",
        "select k, count(*) from (select k from (select o_custkey k, o_orderkey o from orders union all select"
            + " c_custkey, 1 from customer) join nation on o % 25 = n_nationkey union all select l_orderkey from"
            + " (select l_orderkey, l_partkey from lineitem union all select c_custkey, c_nationkey from customer)"
            + " join nation on l_partkey = n_nationkey) group by k",
        "select k, max(v) from (select distinct k, v from u union all select c_custkey, 3 from customer) group"
            + " by k"
      })
  void aggregate_ofAUnion_isInOneTask(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          ADAPTIVE,
          adaptive,
          () -> {
            WithAndWithout both = run(query);
            String plan = both.ours().queryExecution().executedPlan().toString();
            boolean complete = !query.contains("(select distinct k, v from u");
            assertThat(overUnions(both.ours())).as(plan).isNotEmpty().allMatch(Stages::canFallBack);
            assertThat(plan.contains("Exchange hashpartitioning")).as(plan).isEqualTo(!complete);
          });
    }
  }

  /** Children and operators that a stage does not take whole. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, count(*) from (select o_custkey k from orders union all select id from range(9)) group"
            + " by k",
        "select k, count(*) from (select o_custkey k, o_priority s from orders union all select c_custkey,"
            + " initcap(c_segment) from customer) where s > 'b' group by k",
        "select k + r, count(*) from (select k, int(rand(3) * 0) r from u) group by 1"
      })
  void aggregate_ofAUnionThatIsNoneOfStages_isExchanged(String query) {
    WithAndWithout both = WithAndWithout.run(spark, ROWS + query);
    assertThat(overUnions(both.ours())).isEmpty();
    assertThat(both.ours().queryExecution().executedPlan().toString())
        .contains("Exchange hashpartitioning");
  }

  /** The joins above a union are in each stage, and find the rows of one broadcast. */
  @Test
  void joinAboveAUnion_isBuiltOnce() {
    String query =
        ROWS
            + "select /*+ broadcast(customer) */ c_segment, sum(v) from u join customer on k ="
            + " c_custkey group by c_segment";
    // One for the broadcast, and one for the result.
    assertThat(Sessions.with(spark, ADAPTIVE, "true", () -> Jobs.of(spark, query))).isEqualTo(2);
  }

  /** A sum of partial sums that no child has alone. */
  @Test
  void sum_thatOverflowsOnlyOverAll_isSparksError() {
    String query =
        "select k, sum(v) from (select 1 k, if(o_orderkey = 1, 9223372036854775807L, 0L) v from orders"
            + " union all select 1, if(c_custkey = 1, 9223372036854775807L, 0L) from customer) group by k";
    for (String ansi : List.of("true", "false")) {
      Sessions.with(spark, "spark.sql.ansi.enabled", ansi, () -> WithAndWithout.run(spark, query));
    }
  }

  @Test
  void plan_thatIsUsedAgain_givesTheSameRows() {
    Stages.assertRunsAgainAndCached(spark, ROWS + "select k, sum(v), max(s) from u group by k");
  }
}
