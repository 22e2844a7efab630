package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.Stages;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.FilterExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins of tables so large that Spark's optimizer adds Bloom filters of their keys. */
class RuntimeBloomFiltersTest {
  private static final String JOIN =
      "select sum(l_price), count(*) from lineitem join orders on l_orderkey = o_orderkey"
          + " where o_priority = 'priority 2'";
  private static final String BLOOM_FILTER = "might_contain";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    String settings = "spark.sql.optimizer.runtime.bloomFilter.";
    spark =
        ReplicatedTables.session(
            folder,
            Map.of(
                settings + "enabled",
                "true",
                settings + "applicationSideScanSizeThreshold",
                "1",
                "spark.sql.ansi.enabled",
                "true"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Dataset<Row> run(String query) {
    Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
    assertThat(ours.queryExecution().optimizedPlan().toString()).contains(BLOOM_FILTER);
    return ours;
  }

  /** The operators of what was executed, also those that stages replace. */
  private static List<String> filters(Dataset<Row> data) {
    return Plans.nodes(data, FilterExec.class::isInstance).stream()
        .map(filter -> filter.expressions().toString())
        .filter(condition -> condition.contains(BLOOM_FILTER))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        JOIN,
        "select sum(l_price), count(*) from lineitem join orders on l_orderkey = o_orderkey"
            + " where o_priority = 'priority 2' and l_discount > 0.03",
        "select l_partkey, max(l_price) from lineitem left semi join (select * from orders where"
            + " o_priority = 'priority 2') on l_orderkey = o_orderkey group by l_partkey",
        "select sum(l_price), count(*) from lineitem join (select * from orders join customer on"
            + " o_custkey = c_custkey where c_segment = 'segment 1') on l_orderkey = o_orderkey"
      })
  void joinInTheSameTasksNeedsNoFilter(String query) {
    Stages.inEachWay(
        spark,
        () -> {
          Dataset<Row> ours = run(query);
          assertThat(filters(ours)).as(() -> ours.queryExecution().toString()).isEmpty();
          assertThat(Stages.joined(ours)).as(() -> ours.queryExecution().toString()).isNotEmpty();
          Stages.assertOnGpuAlone(ours);
        });
  }

  /** The filter leaves out rows before the exchange. */
  @Test
  void filterBelowAnExchangeStaysWithSpark() {
    Sessions.with(
        spark,
        "spark.mooring.sql.replicatedJoins",
        "never",
        () -> assertThat(filters(run(JOIN))).isNotEmpty());
  }

  /** Without the filter more rows would be divided, and any division may raise an error. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from lineitem join orders on l_orderkey = o_orderkey where o_priority ="
            + " 'priority 2' and 100 / (l_orderkey + 1) > 0.01",
        "select min(x), count(*) from (select l_orderkey, 100 / (l_orderkey + 1) x from lineitem)"
            + " join orders on l_orderkey = o_orderkey and x > o_custkey / 1000"
            + " where o_priority = 'priority 2'"
      })
  void filterBelowADivisionStaysWithSpark(String query) {
    assertThat(filters(run(query))).isNotEmpty();
  }
}
