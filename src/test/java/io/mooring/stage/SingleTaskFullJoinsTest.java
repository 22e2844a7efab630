package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Matrix;
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

/** Full outer joins of groups of one task: the task joins, and nothing is exchanged. */
@Tag("extended")
class SingleTaskFullJoinsTest {
  /** Orders and lines by customer, each with customers that the other does not have. */
  private static final String GROUPS =
      "with o as (select o_custkey k, o_priority p, count(*) n, max(o_date) d from orders where o_orderkey"
          + " % 3 > 0 group by 1, 2), l as (select o_custkey k, o_priority p, sum(l_price) v from orders join"
          + " lineitem on o_orderkey = l_orderkey where o_orderkey % 5 > 0 group by 1, 2), none as (select"
          + " o_custkey k, o_priority p, count(*) n from orders where o_custkey > 100000 group by 1, 2) ";

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
    return Stages.finalWith(data, "SortMergeJoin");
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select o.k, l.k, n, d, v from o full join l on o.k = l.k and o.p = l.p",
        "select o.k, l.k, o.p, l.p, n, v from o full join l on o.k = l.k",
        "select coalesce(o.k, l.k) c, n, v from o full join l using (k, p) where v is null or n > 2",
        "select count(*), sum(if(n is null, 1, 0)), sum(if(v is null, 1, 0)) from o full join l on o.k = l.k"
            + " and o.p = l.p",
        "select coalesce(o.p, l.p) q, count(*), sum(v), max(d) from o full join l on o.k = l.k group by 1",
        "select p, k, n, sum(v) over (partition by p order by k, n, v rows unbounded preceding) w from (select"
            + " coalesce(o.p, l.p) p, coalesce(o.k, l.k) k, n, v from o full join l on o.k = l.k and o.p = l.p)",
        "select o.k, l.k, n, v from o full join l on o.k = l.k and o.p = l.p order by o.k, l.k, o.p, l.p limit"
            + " 20",
        "select o.k, none.k, o.n, none.n from o full join none on o.k = none.k",
        "select none.k, o.k, none.n, o.n from none full join o on o.k = none.k",
        "select a.k, b.k from none a full join none b on a.k = b.k",
        "select count(*), sum(n) from (select none.n from none full join o on o.k = none.k)",
        "select n, count(*) c, sum(v) s, sum(r) r from (select n, v, rank() over (partition by n order by v, k) r"
            + " from (select o.k k, n, v from o full join l on o.k = l.k and o.p = l.p)) group by n",
        "select o.k, x.k, q from o full join (select o_custkey k, max(o_priority) q from orders group by 1)"
            + " x on o.k = x.k",
        "select o.k, x.k, w from o full join (select k, p, sum(v) over (partition by p) w from l) x on o.p"
            + " = x.p",
        "select o.k, l.v, x.n from o full join l on o.k = l.k and o.p = l.p full join (select k, p, n from"
            + " o) x on x.k = l.k and x.p = l.p",
        "select c_segment, count(*), sum(v) from o full join l on o.k = l.k and o.p = l.p left join customer"
            + " on c_custkey = l.k group by 1",
        "select a.k, b.k, a.r, b.r from (select k, n, rank() over (partition by p order by n, k) r from o) a"
            + " full join (select k, rank() over (partition by p order by v, k) r from l) b on a.k = b.k and"
            + " a.r = b.r"
      })
  void fullJoinOfGroups_isInTheirTask(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, GROUPS + query).assertOurs();
            String plan = both.ours().queryExecution().executedPlan().toString();
            assertThat(joining(both.ours())).as(plan).isNotEmpty().allMatch(Stages::canFallBack);
            assertThat(plan)
                .doesNotContain("Exchange hashpartitioning", "Exchange SinglePartition");
            if (RequiresGpu.Condition.gpuIsThere() && !query.contains("none a")) {
              Stages.assertOnGpuAlone(both.ours());
            }
          });
    }
  }

  /** Sides that are no groups of one task, and what the GPU does not join as Spark does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select o.k, c_segment from o full join customer on k = c_custkey",
        "select c_segment, o.k from customer full join o on k = c_custkey",
        "select o.k, l.k from o full join l on o.k = l.k and o.n > l.v",
        "select o.k, l.k from o full join l on double(o.n) = double(l.v)",
        "select o.k, size(x.v) from o full join (select k, array_agg(v) v from l group by k) x on o.k = x.k",
        "select o.k, l.k from o full join l on o.k > l.k"
      })
  void fullJoin_ofOthers_isSparks(String query) {
    WithAndWithout both = WithAndWithout.run(spark, GROUPS + query).assertOurs();
    assertThat(joining(both.ours())).isEmpty();
  }

  /** The same rows again and again, also from a plan that Spark has copied. */
  @Test
  void plan_thatIsUsedAgain_givesTheSameRows() {
    Stages.assertRunsAgainAndCached(
        spark, GROUPS + "select o.k, l.k m, n, v from o full join l on o.k = l.k and o.p = l.p");
  }
}
