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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregates that one task computes as a whole: rows are Spark's, and there is no exchange. */
class SingleTaskAggregatesTest {
  private static final String MODE = "spark.mooring.sql.singleTaskAggregates";
  private static final String REVENUE = "sum(l_price * (1 - l_discount)) revenue";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ReplicatedTables.session(folder, Map.of(MODE, "always"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Queries of TPC-H's shapes: name, exchanges, and of Spark's own plan. */
  @Tag("matrix")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "q10, 0", "q11, 0", "q13, 0", "q15, 1", "q16, 0", "q18, 0",
  })
  void theAggregatesOfAQueryHaveNoExchange(String name, int exchanges) {
    Matrix.withAdaptiveOrWithout(
        spark,
        name,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query(name)).assertOurs();
          String plan = Stages.plan(both.ours());
          assertThat(Stages.finalOf(both.ours())).as(plan).isNotEmpty();
          assertThat(Plans.count(both.ours(), "Exchange")).as(plan).isEqualTo(exchanges);
          assertThat(Plans.count(both.sparks(), "Exchange")).isGreaterThan(exchanges + 1);
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(both.ours());
          }
        });
  }

  /** The first rows of a sorted result leave the GPU, in their order. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "order by n desc, k limit 5",
        "order by m nulls last, k desc limit 11",
        "order by m desc nulls first, k nulls last limit 400",
        "order by m desc, k limit 3 offset 4",
        "order by t, k limit 10 offset 1000000",
        "order by d nulls first, t desc, n, k limit 20"
      })
  void theFirstRowsComeInOrder(String order) {
    String query =
        "select k, n, m, t, k + 1 next from (select o_custkey k, count(*) n, max(if(o_orderkey % 3 = 0,"
            + " null, o_orderkey % 50)) m, min(o_priority) t, max(o_date) d from orders group by"
            + " o_custkey) "
            + order;
    Matrix.withAdaptiveOrWithout(
        spark,
        order,
        () -> {
          Dataset<Row> ours = spark.sql(query);
          List<Row> rows = ours.collectAsList();
          assertThat(Stages.finalOf(ours))
              .singleElement()
              .asString()
              .contains("Aggregate, TakeOrderedAndProject]");
          assertThat(Plans.count(ours, "Exchange")).isZero();
          Sessions.with(
              spark,
              "spark.mooring.sql.enabled",
              "false",
              () -> assertThat(rows).isEqualTo(spark.sql(query).collectAsList()));
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(ours);
          }
        });
  }

  /** Without an order any rows of the result will do, and only so many leave the GPU. */
  @Tag("matrix")
  @ParameterizedTest
  @CsvSource({
    "limit 7, 7, LocalLimit]",
    "limit 5 offset 3, 5, LocalLimit]",
    "limit 1000000, -1, LocalLimit]",
    "limit 4 offset 1000000, 0, LocalLimit]",
    "'where n > 2 limit 6', 6, 'Filter, LocalLimit]'",
    "'where n > 1 offset 2', -1, 'Filter]'"
  })
  void anyRowsWithinALimitLeaveTheGpu(String limit, int rows, String operators) {
    String all = "select k, n from (select o_custkey k, count(*) n from orders group by 1) ";
    Matrix.withAdaptiveOrWithout(
        spark,
        limit,
        () -> {
          Dataset<Row> ours = spark.sql(all + limit);
          List<Row> some = ours.collectAsList();
          assertThat(Stages.finalOf(ours)).singleElement().asString().contains(operators);
          assertThat(Plans.count(ours, "Exchange")).isZero();
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(ours);
          }
          Sessions.with(
              spark,
              "spark.mooring.sql.enabled",
              "false",
              () -> {
                assertThat(some).hasSameSizeAs(spark.sql(all + limit).collectAsList());
                assertThat(some).doesNotHaveDuplicates();
                assertThat(spark.sql(all).collectAsList()).containsAll(some);
              });
          if (rows >= 0) {
            assertThat(some).hasSize(rows);
          }
        });
  }

  @Tag("matrix")
  @Test
  void aLimitBelowAnAggregateIsInItsTask() {
    String query =
        "select count(*), sum(k - k) from (select o_custkey k, count(*) n from orders"
            + " group by 1 limit 9 offset 2)";
    Matrix.withAdaptiveOrWithout(
        spark,
        query,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(Stages.finalOf(both.ours()))
              .singleElement()
              .asString()
              .contains("GlobalLimit, ");
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(both.ours());
          }
        });
  }

  /** Spark holds a node's lock while it waits for sub-queries, whose plans ask for metrics. */
  @Test
  void metricsAreReadWhileANodeIsLocked() throws Exception {
    Dataset<Row> data =
        spark.sql(
            "select o_priority, count(*) from lineitem join orders on l_orderkey = o_orderkey group by 1");
    assertThat(data.collectAsList()).isNotEmpty();
    List<SparkPlan> nodes =
        Plans.nodes(data, node -> node.getClass().getPackageName().startsWith("io.mooring.stage"));
    assertThat(nodes)
        .extracting(SparkPlan::nodeName)
        .contains("MooringFinalStage", "MooringStage", "Replicated");
    for (SparkPlan node : nodes) {
      synchronized (node) {
        assertThat(CompletableFuture.supplyAsync(node::metrics).get(1, TimeUnit.MINUTES))
            .isNotNull();
      }
    }
  }

  @Test
  void autoAsksForAGpuAndNeverForNone() {
    String query = "select l_suppkey k, count(*) n from lineitem group by l_suppkey";
    boolean gpu = RequiresGpu.Condition.gpuIsThere();
    for (String mode : List.of("auto", "never")) {
      Sessions.with(
          spark,
          MODE,
          mode,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query);
            boolean single = gpu && mode.equals("auto");
            assertThat(Stages.finalOf(both.ours())).hasSize(single ? 1 : 0);
            assertThat(Plans.count(both.ours(), "Exchange")).isEqualTo(single ? 0 : 1);
          });
    }
  }

  private static String query(String name) {
    return switch (name) {
      case "q10" ->
          "select c_custkey, c_segment, n_name, "
              + REVENUE
              + " from customer, orders, lineitem, nation where c_custkey = o_custkey and l_orderkey ="
              + " o_orderkey and c_nationkey = n_nationkey group by c_custkey, c_segment, n_name"
              + " order by revenue desc, c_custkey limit 20";
      case "q11" ->
          "select l_partkey, sum(l_price * l_suppkey) v from lineitem, supplier where l_suppkey ="
              + " s_suppkey group by l_partkey having sum(l_price * l_suppkey) > (select"
              + " sum(l_price * l_suppkey) * 0.01 from lineitem, supplier where l_suppkey = s_suppkey)"
              + " order by v desc";
      case "q13" ->
          "select n, count(*) d from (select c_custkey, count(o_orderkey) n from customer"
              + " left join orders on c_custkey = o_custkey and o_priority <> 'priority 3'"
              + " group by c_custkey) group by n order by d desc, n desc";
      case "q15" ->
          "with r as (select l_suppkey k, sum(l_price * (1 - l_discount)) t from lineitem where l_ship >="
              + " date'1995-09-01' group by l_suppkey) select s_suppkey, s_nationkey, t from"
              + " supplier, r where s_suppkey = k and t = (select max(t) from r) order by s_suppkey";
      case "q16" ->
          "select l_mode, p_type, count(distinct l_suppkey) n from lineitem, part where p_partkey ="
              + " l_partkey and p_type not like 'PROMO%' and not exists (select * from supplier"
              + " where s_suppkey = l_suppkey and s_nationkey = 3) group by l_mode, p_type"
              + " order by n desc, l_mode, p_type";
      case "q18" ->
          "select c_custkey, o_orderkey, o_date, sum(l_price) from customer, orders, lineitem"
              + " where o_orderkey in (select l_orderkey from lineitem group by l_orderkey having"
              + " sum(l_price) > 300) and c_custkey = o_custkey and o_orderkey = l_orderkey"
              + " group by c_custkey, o_orderkey, o_date order by o_date, o_orderkey limit 100";
      default -> throw new IllegalArgumentException(name);
    };
  }
}
