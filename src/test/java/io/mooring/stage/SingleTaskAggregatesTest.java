package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregates that one task computes as a whole: rows are Spark's, and there is no exchange. */
class SingleTaskAggregatesTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String REVENUE = "sum(l_price * (1 - l_discount)) revenue";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings = new HashMap<>(ReplicatedTables.SETTINGS);
    settings.put("spark.mooring.sql.singleTaskAggregates", "always");
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    ReplicatedTables.create(spark, folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<SparkPlan> finalStages(Dataset<Row> data) {
    return Plans.nodes(data, MooringFinalStageExec.class::isInstance);
  }

  private static String plan(Dataset<Row> data) {
    return data.queryExecution().executedPlan().toString();
  }

  /** Queries of TPC-H's shapes: name, exchanges, and of Spark's own plan. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "q10, 0", "q11, 0", "q13, 0", "q15, 1", "q16, 0", "q18, 0",
  })
  void theAggregatesOfAQueryHaveNoExchange(String name, int exchanges) {
    for (String adaptive : List.of("true", "false")) {
      Sessions.with(
          spark,
          ADAPTIVE,
          adaptive,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query(name)).assertOurs();
            String plan = plan(both.ours());
            assertThat(finalStages(both.ours())).as(plan).isNotEmpty();
            assertThat(Plans.count(both.ours(), "Exchange")).as(plan).isEqualTo(exchanges);
            assertThat(Plans.count(both.sparks(), "Exchange")).isGreaterThan(exchanges + 1);
            if (RequiresGpu.Condition.gpuIsThere()) {
              Stages.assertOnGpuAlone(both.ours());
            }
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
              + " l_partkey and p_type not like 'PROMO%' and l_suppkey not in (select s_suppkey"
              + " from supplier where s_nationkey = 3) group by l_mode, p_type order by n desc, l_mode,"
              + " p_type";
      case "q18" ->
          "select c_custkey, o_orderkey, o_date, sum(l_price) from customer, orders, lineitem"
              + " where o_orderkey in (select l_orderkey from lineitem group by l_orderkey having"
              + " sum(l_price) > 300) and c_custkey = o_custkey and o_orderkey = l_orderkey"
              + " group by c_custkey, o_orderkey, o_date order by o_date, o_orderkey limit 100";
      default -> throw new IllegalArgumentException(name);
    };
  }
}
