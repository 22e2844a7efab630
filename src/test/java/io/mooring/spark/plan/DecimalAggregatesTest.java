package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.SalesTable;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums and averages of short decimals, which Spark's optimizer computes on longs. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DecimalAggregatesTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.sql.stages", "never"));
    SalesTable.create(spark);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private WithAndWithout same(String sql) {
    return WithAndWithout.run(spark, sql).assertOurs();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(price) from sales",
        "select avg(price), count(*), avg(tax), max(price) from sales where quantity between 3 and"
            + " 40",
        "select day, sum(price), count(tax), min(tax) from sales group by day",
        "select quantity, day, avg(price) from sales where price > 10.00 group by quantity, day",
        "select sum(price) / count(price), sum(price) + 1 from sales where tax is not null",
        "select sum(price), sum(quantity) from sales where quantity > 1000",
        "select day, sum(price) from sales group by day having sum(price) > 0",
        "select s.day, t.sum from sales s join (select day, sum(price) as sum from sales group by"
            + " day) t on s.day = t.day where s.quantity = 7",
        "select sum(p) from (select price as p, quantity as q from sales) where q = 5"
      })
  void theyAreSparks(String sql) {
    same(sql);
  }

  @Test
  void theyAreEvaluatedByTheScan() {
    WithAndWithout both =
        same("select sum(price), avg(price), avg(tax), count(*) from sales where quantity < 20");
    assertThat(both.scansAggregate()).isTrue();
    ScanResults.assertReadByGpuAlone(both.ours());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(total) from sales",
        "select avg(total), sum(price) from sales",
        "select sum(price * quantity) from sales",
        "select day, quantity, sum(price), avg(tax) from sales group by day, quantity",
        "select day, sum(price), avg(tax) from sales group by day",
        "select sum(price), first(tax) from sales group by day"
      })
  void whatCannotBePushedIsRightAllTheSame(String sql) {
    assertThat(same(sql).scansAggregate()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void ansiModeMakesNoDifference(String ansi) {
    String sql = "select sum(price), avg(tax) from sales where day is not null";
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        ansi,
        () -> assertThat(same(sql).scansAggregate()).isTrue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "mooring"})
  void aColumnOfTheSameNameIsNoStandIn(String format) {
    String path = folder.resolve("named-" + format).toString();
    spark
        .range(100)
        .selectExpr("cast(id as decimal(7,2)) as a", "id * 1000 as `unscaled(a)`")
        .write()
        .parquet(path);
    same("select sum(a), max(`unscaled(a)`) from " + format + ".`" + path + "`");
  }
}
