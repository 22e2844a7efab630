package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table that a query reads twice by the same rows is exchanged as often as by Spark. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReusedExchangesTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    spark.sql(
        "create table lands using parquet as"
            + " select id as land, concat('land ', id) as name, id % 3 as area from range(9)");
    spark.sql(
        "create table sellers using parquet as select id as seller, id % 9 as land from range(40)");
    spark.sql(
        "create table buyers using parquet as select id as buyer, (id + 1) % 9 as land from range(60)");
    spark.sql(
        "create table trades using parquet as"
            + " select id % 40 as seller, id % 60 as buyer, id as worth from range(500)");
    spark.sql(
        "create table days using parquet partitioned by (year, month) as"
            + " select id, id % 2 + 2000 as year, id % 3 as month from range(90)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void assertAsReused(String query) {
    for (List<String> row : Matrix.bothOfTwo(query)) {
      String pushdown = row.get(1).equals("true") ? "always" : "never";
      Sessions.with(
          spark,
          Map.of("spark.sql.adaptive.enabled", row.get(0), "spark.mooring.sql.pushdown", pushdown),
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
            assertThat(Plans.count(both.sparks(), "ReusedExchange")).isPositive();
            both.assertEqualCounts("Exchange", "BroadcastExchange", "ReusedExchange");
          });
    }
  }

  /** The shape of TPC-H q7: Spark infers the same alternatives for both uses, in either order. */
  @Test
  void aTableJoinedByAlternativesInEitherOrderIsBroadcastOnce() {
    assertAsReused(
        "select s.name, b.name, sum(worth) from trades join sellers using (seller)"
            + " join buyers using (buyer) join lands s on s.land = sellers.land"
            + " join lands b on b.land = buyers.land"
            + " where (s.name = 'land 1' and b.name = 'land 2')"
            + " or (s.name = 'land 2' and b.name = 'land 1') group by s.name, b.name");
  }

  @Tag("matrix")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lands | name | land = 1 or area = 2 or name = 'land 4' | name = 'land 4' or land = 1 or area = 2",
        "lands | name | (land = 1 and area = 1) or land = 7 | land = 7 or (area = 1 and land = 1)",
        "lands | name | land in (1, 4, 7) | land in (7, 1, 4)",
        "lands | name | name not in ('land 1', 'land 2') | name not in ('land 2', 'land 1')",
        "lands | name | land > 3 | 3 < land",
        "lands | name | land >= area | area <= land",
        "lands | name | land = area | area = land",
        "lands | name | land <> area | area <> land",
        "lands | name | land <=> area | area <=> land",
        "lands | name | not (land = 1 and area = 1) | not (area = 1 and land = 1)",
        "lands | name | land + area > 3 | area + land > 3",
        "days | id | year = 2000 or month = 1 | month = 1 or year = 2000",
        "days | id | year = 2000 and month = 1 | month = 1 and year = 2000",
        "days | id | month in (0, 2) | month in (2, 0)",
        "days | id | year + month > 2001 | month + year > 2001",
        "days | id | month < 2 and id > 7 | 7 < id and 2 > month",
        "days | id | year = (select max(year) from days) | (select max(year) from days) = year",
        "days | id | year = (select max(year) from days) | YEAR = (select max(year) from days)",
      })
  void theSameConditionWrittenOtherwiseIsTheSameScan(
      String table, String key, String one, String other) {
    assertAsReused(twice(table, key, one, other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lands | name | land = 1 or area = 2 | land = 2 or area = 1",
        "lands | name | land < area | area < land",
        "lands | name | land - area > 3 | area - land > 3",
        "lands | name | land in (1, 2) or area = 0 | area in (1, 2) or land = 0",
        "days | id | year = 2000 or month = 2001 | month = 2000 or year = 2001",
        "days | id | year - month > 2000 | month - year > -2000",
        "days | id | year > 1 | month > 1",
      })
  void anotherConditionIsAnotherScan(String table, String key, String one, String other) {
    WithAndWithout both = WithAndWithout.run(spark, twice(table, key, one, other)).assertOurs();
    assertThat(Plans.count(both.ours(), "ReusedExchange")).isZero();
  }

  private static String twice(String table, String key, String one, String other) {
    String groups = "select " + key + ", count(*) as c from " + table + " where ";
    String by = " group by " + key;
    return groups + one + by + " union all " + groups + other + by;
  }
}
