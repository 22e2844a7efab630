package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.program.RowOperator;
import io.mooring.stage.program.SubqueryResults;
import io.mooring.stage.program.WindowOperator;
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
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Window functions over groups of one task: the task computes them, and nothing is exchanged. */
@Tag("extended")
class SingleTaskWindowsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  /** Orders by customer, day and priority, with nulls among the keys and values. */
  private static final String GROUPS =
      "with g as (select o_custkey k, o_date d, count(*) n, sum(if(o_orderkey % 5 = 0, null,"
          + " cast(o_orderkey as decimal(7,2)))) s, max(o_priority) p, max(nullif(int(o_orderkey % 7), 3)) m"
          + " from orders group by 1, 2) ";

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

  private static boolean sortsResults(SparkPlan node) {
    return node instanceof SortExec && node.exists(MooringFinalStageExec.class::isInstance);
  }

  /** Whether no operator loses the order of the last sort, but for aggregates at the end. */
  private static boolean sortsOnDevice(SparkPlan finalStage) {
    FinalStageChain chain =
        FinalStageChain.over(((StageExec) finalStage).replaced(), GroupInputs::areInputs);
    List<RowOperator> operators = chain.program(SubqueryResults.EXPECTED).operators();
    for (int i = operators.size() - 1; i >= 0; i--) {
      RowOperator operator = operators.get(i);
      if (operator instanceof WindowOperator.Running
          || (operator instanceof RowOperator.Top top && !top.keys().isEmpty())) {
        return true;
      } else if (operator instanceof WindowOperator || operator instanceof RowOperator.Join) {
        return false;
      }
    }
    return false;
  }

  private static List<SparkPlan> withWindow(Dataset<Row> data) {
    return Stages.finalWith(data, "Window");
  }

  private static WithAndWithout run(String query) {
    WithAndWithout both = WithAndWithout.run(spark, GROUPS + query).assertOurs();
    if (RequiresGpu.Condition.gpuIsThere()) {
      Stages.assertOnGpuAlone(both.ours());
    }
    return both;
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, n, max(n) over (order by k, d rows between unbounded preceding and unbounded"
            + " following) m from g order by k, d",
        "select n, s, c from (select k, d, n, s, sum(n) over (partition by k, d) c from g) where c < 5 order by k, d",
        "select k, d, m from (select k, d, max(n) over (order by k desc, d rows between unbounded"
            + " preceding and unbounded following) m from g order by k desc, d offset 100)",
        "select count(*), sum(k) from (select k, max(n) over (order by k, d rows between unbounded"
            + " preceding and unbounded following) m from g order by k, d offset 100)",
        "select /*+ broadcast(customer) */ k, d, c_segment from (select * from g order by k, d limit"
            + " 500) join customer on k = c_custkey order by k, d",
        "select k, d, rank() over (order by k, d) r from g order by k, d",
        "select * from (select * from g order by k, d limit 500) where n > 0 order by k, d",
        "select * from g order by s desc nulls last, k, d",
        "select p from g where n > 1 order by m, k, d",
        "select k, double(s) x from g order by if(s > 100, double('nan'), double(s)) desc, k, d",
        "select k, d, max(n) over (partition by k) m from (select * from g sort by d, k) order by k, d",
        "select sum(k), count(*) from (select /*+ coalesce(1) */ * from (select k, d, n from g order by k"
            + " desc, d) limit 10)",
        "select /*+ coalesce(1) */ * from (select k, d, n, max(n) over (order by k, d rows between unbounded"
            + " preceding and unbounded following) m from g order by k, d)",
        "select k * 2, d from (select /*+ coalesce(1) */ * from (select * from g order by k desc, d))",
        "select k, d, m, rank() over (order by k) r from (select k, d, n, max(n) over (order by k, d rows"
            + " between unbounded preceding and unbounded following) m from g) order by k, d",
        "select /*+ broadcast(customer) */ k, d, c_segment from (select * from g order by k + (select min(k) from"
            + " g), d limit 500) join customer on k = c_custkey order by k + (select min(k) from g), d"
      })
  void anOrder_evenIfSparkDropsItAsRedundant_isTheDevices(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          Map.of(ADAPTIVE, adaptive),
          () -> {
            WithAndWithout both = run(query);
            assertThat(both.ours().collectAsList()).isEqualTo(both.sparks().collectAsList());
            assertThat(Stages.finalOf(both.ours()))
                .isNotEmpty()
                .allMatch(SingleTaskWindowsTest::sortsOnDevice);
            assertThat(Plans.nodes(both.ours(), SingleTaskWindowsTest::sortsResults)).isEmpty();
          });
    }
  }

  /** The order of binary values, which a window of a whole partition does not need on the GPU. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void anOrder_thatTheGpuDoesNotHave_isSparks(String adaptive) {
    String query =
        "select /*+ broadcast(customer) */ k, b, m, c_segment from (select k, b, max(k) over (order by b rows"
            + " between unbounded preceding and unbounded following) m from (select k, max(cast(string(d) as"
            + " binary)) b from g group by k)) join customer on k = c_custkey order by b, k";
    Sessions.with(
        spark,
        Map.of(ADAPTIVE, adaptive),
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, GROUPS + query).assertOurs();
          assertThat(both.ours().collectAsList()).hasSameSizeAs(both.sparks().collectAsList());
        });
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, d, s, sum(s) over (partition by k) w from g",
        "select k, d, avg(s) over (partition by k) a, count(s) over (partition by k) c, count(*) over"
            + " () n, max(p) over (partition by k) m from g",
        "select k, d, s / sum(s) over () w from g",
        "select k, d, sum(n) over (partition by p) c, min(d) over (partition by p) m from g",
        "select k, d, avg(m) over (partition by k) a, sum(m) over (partition by k, p) b from g",
        "select k, d, rank() over (partition by k order by p desc, s) r from g",
        "select k, d, rank() over (order by s) r, dense_rank() over (order by s) e from g",
        "select k, d, rank() over (partition by p order by m desc nulls last) r, dense_rank() over"
            + " (partition by p order by m desc nulls last) e from g",
        "select k, d, row_number() over (partition by p order by k, d) r from g",
        "select k, d, sum(s) over (partition by p order by k, d rows between unbounded preceding and"
            + " current row) w from g",
        "select k, d, count(s) over w c, sum(m) over w b from g window w as (partition by p order by k, d"
            + " rows unbounded preceding)",
        "select k, d, avg(cast(s as decimal(20,2))) over w a, sum(s) over w b from g window w as (partition"
            + " by p order by k, d rows unbounded preceding)",
        "select k, d, max(p) over w a, min(m) over w b, max(s) over w c, min(d) over w e from g window w as"
            + " (partition by n order by d, k rows unbounded preceding)",
        "select k, d, sum(s) over (partition by k order by p) w, count(m) over (partition by k order by p)"
            + " c, max(m) over (partition by k order by p) x from g",
        "select k, d, sum(m) over (order by p) w, max(s) over (order by p desc) a from g",
        "select k, d, sum(s) over w a, rank() over w b, sum(s) over (partition by k order by d rows unbounded preceding) c,"
            + " max(s) over (partition by k) e from g window w as (partition by k order by d)",
        "select * from (select k, d, s, rank() over (partition by k order by s desc) r from g) where r <= 2"
            + " order by k, r, d limit 50",
        "select * from (select k, d, row_number() over (partition by p order by s, k, d) r from g) where r"
            + " < 4",
        "select p, sum(w) from (select p, sum(s) over (partition by k) w from g) group by p",
        "select k, d, a - s from (select k, d, s, avg(s) over (partition by k) a from g) where abs(a - s)"
            + " > 100 order by 3 limit 20",
        "select k, n, w, c_segment from (select k, n, sum(n) over (partition by k) w from g) join customer"
            + " on k = c_custkey",
        "select g.k, g.d, r from g join (select * from (select k j, d e, rank() over (partition by k order by s"
            + " desc, d) r from g) where r < 3) on k = j and d = e",
        "select c_segment, n, sum(n) over (partition by c_segment) w from g left join customer on k ="
            + " c_custkey",
        "select k, d, sum(s) over (partition by k) w from g where n > 100",
        "select k, d, sum(cast(s as decimal(30,2))) over (partition by p) w from g",
        "select sum(if(l <> r * (r + 1) / 2, 1, 0)), sum(t) from (select r, t, sum(r) over (partition by k"
            + " order by p rows unbounded preceding) l from (select k, p, row_number() over (partition by k order"
            + " by p) r, sum(m) over (partition by k order by p) t from g))",
        "select k, d, sum(w) over (partition by p order by k, d) x from (select k, d, p, sum(s) over"
            + " (partition by k) w from g)"
      })
  void window_overGroups_isInTheirTask(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          ADAPTIVE,
          adaptive,
          () -> {
            WithAndWithout both = run(query);
            String plan = both.ours().queryExecution().executedPlan().toString();
            assertThat(withWindow(both.ours())).as(plan).isNotEmpty().allMatch(Stages::canFallBack);
            assertThat(plan)
                .doesNotContain("Exchange hashpartitioning", "Exchange SinglePartition");
          });
    }
  }

  /** Frames, functions and types that the GPU does not compute as Spark does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, d, sum(double(s)) over (partition by k) w from g",
        "select k, d, sum(n) over (partition by k order by d) w from g",
        "select k, d, avg(n) over (partition by k) w from g",
        "select k, d, sum(m) over (partition by k order by d rows 2 preceding) w from g",
        "select k, d, sum(m) over (partition by k order by d rows between current row and unbounded"
            + " following) w from g",
        "select k, d, avg(m) over (partition by k order by d) w from g",
        "select k, d, avg(cast(s as decimal(9,2))) over (partition by k order by d) w from g",
        "select k, d, avg(m) over (partition by k order by d rows between unbounded preceding and unbounded"
            + " following) w from g",
        "select k, d, max(n > 1) over (partition by k order by d) w from g",
        "select p, count(*) over (rows unbounded preceding) w from g where k is null and d = date'1995-01-01'",
        "select k, d, lag(s) over (partition by k order by d) w from g",
        "select k, d, ntile(3) over (partition by k order by d) w from g",
        "select k, d, rank() over (partition by k order by double(s)) w from g",
        "select k, d, sum(s) over (partition by double(k)) w from g",
        "select k, d, sum(cast(s as decimal(30,2))) over (partition by p order by k, d) w from g"
      })
  void window_thatTheGpuDoesNotCompute_isSparks(String query) {
    WithAndWithout both = WithAndWithout.run(spark, GROUPS + query).assertOurs();
    assertThat(withWindow(both.ours())).isEmpty();
    assertThat(Plans.count(both.ours(), "Window")).isPositive();
  }

  /** The limit of ranks that Spark puts below such a window needs the window above it. */
  @Test
  void limitOfRanks_belowAWindowOfSparks_isSparks() {
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            GROUPS
                + "select * from (select k, d, rank() over (partition by k order by double(s), d) r from"
                + " g) where r < 3");
    assertThat(Plans.count(both.ours(), "WindowGroupLimit"))
        .isEqualTo(Plans.count(both.sparks(), "WindowGroupLimit"));
  }

  /** An operator above may rely on the order of a window's rows, also of those that are equal. */
  @Test
  void windowOverAWindowOfSparks_keepsItsOrder() {
    WithAndWithout.run(
        spark,
        GROUPS
            + "select sum(if(l <> r - 1, 1, 0)), sum(t) from (select r, t, lag(r) over (partition by k order by"
            + " p) l from (select k, p, row_number() over (partition by k order by p) r, sum(m) over (partition"
            + " by k order by p) t from g))");
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            GROUPS
                + "select k, d, r, lag(r) over (partition by k order by d) w from (select k, d, row_number()"
                + " over (partition by k order by d) r from g)");
    assertThat(withWindow(both.ours())).hasSize(1);
  }

  /** An error of the query is Spark's, and a plan that Spark has copied gives the same rows. */
  @Test
  void plan_thatIsUsedAgain_givesTheSameRows() {
    Stages.assertRunsAgainAndCached(
        spark, GROUPS + "select k, d, sum(s) over (partition by k order by d) w from g");
  }
}
