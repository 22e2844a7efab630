package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.PushdownTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters that the scan evaluates keep the rows that Spark's own keep of the same files; on a
 * machine with a GPU it must have read them, elsewhere the rows of Spark's reader are evaluated.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterPushdownTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = PushdownTables.session(folder, FilterPushdownTest.class);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> assertSame(String query) {
    return PushdownTables.assertSame(spark, query);
  }

  private static String plan(Dataset<Row> data) {
    return data.queryExecution().sparkPlan().toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a_boolean",
        "not a_boolean",
        "a_byte = 3",
        "a_short between -1000 and 1000",
        "an_int < 0 or a_long > 0",
        "a_float > 1000.5",
        "a_double >= double('NaN')",
        "a_double < double('NaN')",
        "a_double = double('NaN') or a_float = float('NaN')",
        "a_double <= double('Infinity')",
        "not (a_double > 0)",
        "a_double = 0.0D",
        "a_float > small_quarters",
        "a_double <= quarters",
        "a_decimal32 > 1234.56",
        "a_decimal64 between -100000 and 100000",
        "a_decimal128 < 0",
        "a_date between date'1990-01-01' and date'2020-06-30'",
        "a_timestamp > timestamp'2000-01-01 00:00:00'",
        "a_string > 'm'",
        "a_string like 'a%%'",
        "a_string like '%%z'",
        "a_string like '%%q%%'",
        "a_string like '%%\uD83D\uDE00%%'",
        "an_int is null",
        "a_string is not null and a_date is null",
        "a_byte in (1, 2, 3)",
        "a_byte in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, null)",
        "a_byte not in (1, 2, 3, 4, 5, 6, 7)",
        "not (a_byte in (1, null))",
        "a_string in ('a', 'b', '')",
        "a_decimal32 in (1.00, 2.00, null)",
        "part = 3 and a_long > 0",
        "part in (1, 2) or an_int > 0",
        "part is null",
        "text_part = 'p1' and part < 3",
        "(a_byte > 5 and a_short < 0) or (a_byte < -5 and not a_short < 0)",
        "quarters + 1.5D > quarters * 2.0D",
        "cast(a_byte as bigint) = a_long or cast(a_short as double) < a_double"
      })
  void filtersKeepTheRowsThatSparkKeeps(String condition) {
    Dataset<Row> ours = assertSame("select * from %s where " + condition);
    if (PushdownTables.isOffered(condition)) {
      assertThat(plan(ours)).doesNotContain("Filter ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "substring(a_string, 1, 1) = 'a'",
        "a_binary = X'00'",
        "a_long + 1 > 5",
        "a_decimal32 + 1 > 5"
      })
  void whatHasNoFormOfOursStaysWithSpark(String condition) {
    Dataset<Row> ours = assertSame("select * from %s where an_int > 0 and " + condition);
    assertThat(plan(ours)).contains("Filter ");
  }

  @Test
  void columnsThatOnlyTheFilterNeedsDoNotLeaveTheScan() {
    Dataset<Row> ours = assertSame("select a_string from %s where an_int > 0 and part = 2");
    assertThat(plan(ours)).containsPattern("BatchScan .*\\[a_string#\\d+\\] Mooring");
    assertThat(ours.queryExecution().executedPlan().toString())
        .contains("columns [a_string, an_int");
  }

  @Test
  void neverLeavesEverythingToSpark() {
    Sessions.with(
        spark,
        "spark.mooring.sql.pushdown",
        "never",
        () -> {
          Dataset<Row> ours = assertSame("select count(*), sum(an_int) from %s where a_byte = 1");
          assertThat(plan(ours)).contains("Filter ").doesNotContain("agg_func");
        });
  }

  @Test
  @RequiresGpu
  void rowGroupsInWhichNoRowPassesAreReadNoFurther() {
    String path = folder.resolve("wide").toString();
    // The hash keeps statistics from deciding; the payload makes late materialization pay.
    spark
        .range(60_000)
        .selectExpr("hash(id) as key", "id", "repeat(sha2(string(id), 256), 4) as payload")
        .coalesce(1)
        .write()
        .option("parquet.block.size", 1 << 20)
        .option("parquet.page.row.count.limit", 1_000)
        .parquet(path);
    int key = spark.read().parquet(path).where("id = 31234").first().getInt(0);
    for (String condition : new String[] {"key = " + key, "key <> " + key, "key > 2147483646"}) {
      String query = "select * from %s.`" + path + "` where " + condition;
      for (int run = 0; run < 3; run++) {
        Dataset<Row> ours = spark.sql(query.formatted("mooring"));
        ScanResults.assertSame(ours, spark.sql(query.formatted("parquet")));
        assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
        if (!condition.contains("<>")) {
          assertThat(ScanResults.metric(ours, "rowGroupsSkipped")).isPositive();
        } else if (run > 0) {
          // The first run has shown that looking does not pay.
          assertThat(ScanResults.metric(ours, "rowGroupsSkipped")).isZero();
        }
      }
    }
  }
}
