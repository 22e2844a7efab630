package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row groups and pages that the results of scalar sub-queries rule out are not read. */
@RequiresGpu
class PruningBySubqueriesTest {
  private static final String HOUR = "timestamp_seconds(1700000000 + id * 3600)";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.mooring.scan.mergeDistance", "0",
                "spark.mooring.scan.skipPages", "true",
                "spark.mooring.cache.size", "0",
                // Times of 96 bits, Spark's default, have no statistics.
                "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"));
    // Events in the order of their times, as a table that grows has them.
    write(
        "events",
        spark
            .range(0, 100_000, 1, 2)
            .selectExpr(
                "id",
                "if(id % 25 = 3, null, cast(id as int)) number",
                HOUR + " ts",
                "cast(" + HOUR + " as date) day",
                "lpad(id, 6, '0') name",
                "cast(id as decimal(12,2)) price",
                "cast(id % 4 as int) zero"));
    write("loaded", spark.table("events").where("id < 95000"));
  }

  private static void write(String table, Dataset<?> rows) {
    String path = folder.resolve(table).toString();
    rows.write()
        .option("parquet.block.row.count.limit", 2000)
        .option("parquet.page.row.count.limit", 200)
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** How much the stages of a query left out, those of its sub-queries not among them. */
  private static long metric(String query, String name) {
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    Stages.assertOnGpuAlone(both.ours());
    return Stages.of(both.ours()).stream()
        .filter(stage -> stage.toString().contains("/events"))
        .mapToLong(stage -> stage.metrics().apply(name).value())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), sum(price) from events where ts > (select max(ts) from loaded)",
        "select id, price from events where ts > (select max(ts) from loaded) - interval 1 day",
        "select count(*), sum(price) from events where day > (select max(day) from loaded)",
        "select count(*), sum(price) from events where day >= (select max(day) - 3 from loaded)",
        "select count(*), sum(price) from events where number > (select max(number) from loaded)",
        "select name, count(*) from events where name > (select max(name) from loaded) group by name",
        "select count(*), max(name) from events where price > (select max(price) from loaded)",
        "select count(*), max(name) from events where id = (select max(id) from loaded)",
        "select sum(price) from events where id between (select max(id) - 9 from loaded)"
            + " and (select max(id) + 9 from loaded)",
        "select sum(price) from events where ts > (select max(ts) from loaded) and id % 3 = 1",
        "select sum(e.price) from events e join loaded l on e.id = l.id + 50"
            + " where e.ts > (select max(ts) from loaded)"
      })
  void whatTheResultRulesOut_isNotRead(String query) {
    assertThat(metric(query, "rowGroupsPruned")).isGreaterThan(40);
  }

  @Test
  void pagesThatTheResultRulesOut_areNotRead() {
    String query =
        "select count(*), sum(price), max(name), sum(12 div (zero + 1)) from events"
            + " where ts > (select max(ts) from loaded) + interval 1900 hours"
            + " and ts < (select max(ts) from loaded) + interval 1950 hours";
    assertThat(metric(query, "bytesSkipped")).isPositive();
  }

  /** Other values stand for those of pages that are not read. */
  @Test
  void valuesInPagesThatAreNotRead_doNoHarm() {
    String query =
        "select count(*), sum(12 div zero) from events"
            + " where ts > (select max(ts) from loaded) + interval 1900 hours and zero > 0";
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        "true",
        () -> assertThat(metric(query, "rowGroupsPruned")).isGreaterThan(40));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), sum(price) from events where ts > (select max(ts) from loaded where id < 0)",
        "select count(*), sum(price) from events where number + 1 > (select max(number) from loaded)",
        "select count(*), sum(price) from events"
            + " where ts > (select max(ts) from loaded) or number % 5 = 1"
      })
  void whatTheResultDoesNotRuleOut_isRead(String query) {
    assertThat(metric(query, "rowGroupsPruned")).isZero();
  }
}
