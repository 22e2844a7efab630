package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans whose rows are exchanged for a join say why the join needs the exchange. */
@Tag("extended")
class ExchangeReasonTest {
  private static final String MOST = "spark.mooring.sql.replicatedJoins.maxBuildSize";
  private static final String TEXT = "(exchanged for a join: ";
  private static final String JOIN =
      "select l_price + 1, o_date from (select * from lineitem where l_price > 1) join (select * from"
          + " orders where o_custkey > 1) on o_orderkey = l_orderkey";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ReplicatedTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** The plan of a query that has run, and has Spark's rows. */
  private static String plan(String query, boolean adaptive, Map<String, String> settings) {
    StringBuilder plan = new StringBuilder();
    Runnable run =
        () -> {
          WithAndWithout.run(spark, query).assertOurs();
          Dataset<Row> data = spark.sql(query);
          data.collectAsList();
          plan.append(data.queryExecution().executedPlan());
        };
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        String.valueOf(adaptive),
        () -> Sessions.with(spark, settings, run));
    return plan.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void buildSidesThatAreTooLarge(boolean adaptive) {
    String size = "build sides of [\\d.]+ KiB, and " + MOST.replace(".", "\\.") + " is 1 KiB\\)";
    assertThat(plan(JOIN, adaptive, Map.of(MOST, "1k")))
        .containsPattern("BatchScan mooring [^\n]*/lineitem\\] \\(exchanged for a join: " + size)
        .containsPattern("BatchScan mooring [^\n]*/orders\\] \\(exchanged for a join: " + size);
  }

  @ParameterizedTest
  @CsvSource({
    "orders, full outer, a join of type FullOuter",
    "(select * from orders limit 500), left, one task cannot compute the build side out of files alone"
  })
  void joinsThatHaveNoBuildSide(String orders, String join, String reason) {
    String query =
        "select * from lineitem " + join + " join " + orders + " on o_orderkey = l_orderkey";
    for (boolean adaptive : new boolean[] {true, false}) {
      assertThat(plan(query, adaptive, Map.of())).contains("/lineitem] " + TEXT + reason + ")");
    }
  }

  @ParameterizedTest
  @CsvSource({"exists, LeftSemi", "not exists, LeftAnti"})
  void conditionsThatMayFail(String exists, String type) {
    String query =
        "select * from lineitem where "
            + exists
            + " (select 1 from orders where o_orderkey = l_orderkey and o_custkey + 1 > l_partkey)";
    String reason = "the condition of a join of type " + type + " may raise an error)";
    assertThat(plan(query, false, Map.of("spark.sql.ansi.enabled", "true")))
        .contains("/lineitem] " + TEXT + reason);
    assertThat(plan(query, false, Map.of("spark.sql.ansi.enabled", "false")))
        .doesNotContain(reason);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void joinsWithoutAnExchangeAndAggregatesSayNothing(boolean adaptive) {
    assertThat(plan(JOIN, adaptive, Map.of())).contains("Replicated").doesNotContain(TEXT);
    String groups =
        "select n, o_date from (select l_orderkey, count(*) n from lineitem group by l_orderkey) full"
            + " outer join orders on o_orderkey = l_orderkey";
    assertThat(plan(groups, adaptive, Map.of()))
        .contains("/orders] " + TEXT)
        .doesNotContain("/lineitem] " + TEXT);
  }

  /** The scans below differ in their names only, by which Spark does not compare them. */
  @Test
  void exchangesForTwoReasonsAreReused() {
    String orders = "(select o_orderkey k, o_date from orders) o";
    String query =
        "select o_date, l_price from "
            + orders
            + " full outer join lineitem on k = l_orderkey union all select o_date, l_price from "
            + orders
            + " left join (select * from lineitem limit 500) on k = l_orderkey";
    String plan = plan(query, false, Map.of());
    assertThat(plan).contains("/orders] " + TEXT + "a join of type FullOuter)");
    assertThat(plan).contains("ReusedExchange [k#");
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.enabled", "false", "spark.sql.adaptive.enabled", "false"),
        () ->
            assertThat(spark.sql(query).queryExecution().executedPlan().toString())
                .contains("ReusedExchange [k#"));
  }
}
