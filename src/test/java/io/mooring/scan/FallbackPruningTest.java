package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that Spark cannot read, and does not, because their statistics rule them out: an older file
 * of a table has another type.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FallbackPruningTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"));
    String path = folder.resolve("events").toString();
    append(spark.range(0, 5, 1, 1).selectExpr("id", "string(id) c", "int(1) p"), path);
    append(spark.range(1000, 1010, 1, 1).selectExpr("id", "int(id) c", "int(1 + id % 2) p"), path);
    spark
        .read()
        .schema("d decimal(12,2), t timestamp, c int, p int")
        .parquet(path)
        .createOrReplaceTempView("events");
  }

  private static void append(Dataset<Row> rows, String path) {
    rows.selectExpr(
            "cast(id as decimal(12,2)) d", "timestamp_seconds(1577836800 + id * 86400) t", "c", "p")
        .write()
        .mode("append")
        .partitionBy("p")
        .parquet(path);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from events where d >= 1000",
        "select count(*), sum(c) from events where d >= 1000.5",
        "select c from events where t > timestamp'2022-01-01 00:00:00.000001'",
        "select c, d from events where (p = 2 and d > 50) or (p = 1 and d > 70)",
        "select c from events where (p = 2 and t > timestamp'2022-01-01') or (p = 1 and d > 70 and t >"
            + " timestamp'2022-01-01')"
      })
  void filesThatStatisticsRuleOutAreNotRead(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    assertThat(both.ours().count()).isPositive();
  }
}
