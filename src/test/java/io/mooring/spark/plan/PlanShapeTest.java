package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.MooringStageExec;
import io.mooring.testing.Interpreted;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Spark has decided about a query stays so: scans, joins, exchanges. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlanShapeTest {
  private static final String[] OPERATORS = {
    "BroadcastHashJoin",
    "SortMergeJoin",
    "ShuffledHashJoin",
    "Exchange",
    "BroadcastExchange",
    "ReusedExchange",
    "SubqueryBroadcast",
    "Sort",
    "Window"
  };

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            // Where queries are compiled, a union of columnar children is columnar itself.
            Interpreted.compiledAnd(
                Map.of(
                    "spark.sql.cbo.enabled", "true",
                    "spark.sql.autoBroadcastJoinThreshold", "20k")));
    // Quarters: their sums are exact in whatever order they are added up.
    spark.sql(
        "create table sales using parquet as select id, cast(id % 100 as int) as quantity,"
            + " floor(rand() * 400) / 4D as price, floor(rand() * 36) / 4D as tax,"
            + " cast(id % 50 as int) as store from range(20000)");
    spark.sql(
        "create table stores using parquet as select cast(id as int) as store,"
            + " concat('store ', id) as name, repeat('x', 200) as note from range(50)");
    spark.sql("analyze table sales compute statistics for all columns");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private WithAndWithout assertSameShape(String sql) {
    WithAndWithout both = WithAndWithout.run(spark, sql).assertOurs();
    both.assertEqualCounts(OPERATORS);
    assertThat(Plans.ours(both.ours())).hasSameSizeAs(Plans.sparks(both.sparks()));
    SparkPlan ours = both.ours().queryExecution().executedPlan();
    if (!(ours instanceof MooringStageExec)) {
      assertThat(ours.getClass())
          .isEqualTo(both.sparks().queryExecution().executedPlan().getClass());
    }
    return both;
  }

  /** The shape of TPC-DS q9: five buckets, each asked for a count and two averages. */
  private static String bucketsQuery() {
    return IntStream.range(0, 5)
        .mapToObj(PlanShapeTest::bucket)
        .collect(Collectors.joining(", ", "select ", " from stores where store = 1"));
  }

  private static String bucket(int bucket) {
    String from =
        " from sales where quantity between " + (bucket * 20 + 1) + " and " + (bucket * 20 + 20);
    return String.format(
        "case when (select count(*)%1$s) > 3000 then (select avg(price)%1$s)"
            + " else (select avg(tax)%1$s) end as bucket%2$d",
        from, bucket);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void mergedSubQueriesStayMerged(String adaptive) {
    Sessions.with(
        spark,
        Map.of(
            "spark.sql.adaptive.enabled", adaptive, "spark.mooring.sql.mergeSubqueries", "false"),
        () -> {
          WithAndWithout both = assertSameShape(bucketsQuery());
          assertThat(Plans.ours(both.ours())).hasSizeLessThanOrEqualTo(6);
        });
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select name, sum(price) from sales join stores using (store) group by name",
        "select a.id, b.price from sales a join sales b on a.id = b.id where a.quantity = 7",
        "select * from (select store, sum(price) s from sales group by store) x"
            + " join (select store, sum(price) t from sales group by store) y using (store)",
        "with c as (select store, rand(1) r from sales where quantity < 3)"
            + " select count(*) from c a join c b using (store)",
        "select store, price, rank() over (partition by store order by price) as r from sales"
            + " where quantity = 5",
        "select * from sales where id in (select store from stores) and quantity > 10",
        "select count(distinct store), count(distinct quantity), sum(tax) from sales",
        "select quantity from sales union all select store from sales",
        "select * from sales order by initcap(string(id)) limit 10",
        "select store, note from stores limit 5",
        "select * from sales where price > (select avg(price) from sales)",
        "select name from stores where exists"
            + " (select 1 from sales where sales.store = stores.store and price > 99)"
      })
  void joinsExchangesAndScansAreSparks(String sql) {
    for (String adaptive : Matrix.both(sql)) {
      Sessions.with(spark, "spark.sql.adaptive.enabled", adaptive, () -> assertSameShape(sql));
    }
  }

  @Test
  void columnStatisticsOfTheCatalogAreUsed() {
    String sql = "select name from sales join stores using (store) where id < 10";
    WithAndWithout both = assertSameShape(sql);
    assertThat(both.ours().queryExecution().optimizedPlan().stats())
        .isEqualTo(both.sparks().queryExecution().optimizedPlan().stats());
    assertThat(Plans.count(both.ours(), "BroadcastHashJoin")).isEqualTo(1);
  }
}
