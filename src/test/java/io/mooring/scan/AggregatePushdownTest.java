package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Aggregates that the scan evaluates give what Spark's own give of the same files, and overflow as
 * they do; on a machine with a GPU it must have read them, elsewhere the rows of Spark's reader are
 * evaluated.
 */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AggregatePushdownTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = PushdownTables.session(folder, AggregatePushdownTest.class);
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
        "select count(*) from %s",
        "select count(*) from %s where a_byte > 126 and a_short < -32760",
        "select count(*), count(an_int), sum(an_int), min(an_int), max(an_int) from %s",
        "select sum(a_byte), sum(a_short), sum(quarters), sum(small_quarters) from %s",
        "select min(a_string), max(a_string), min(a_date), max(a_timestamp) from %s",
        "select min(a_double), max(a_double), min(a_float), max(a_float) from %s",
        "select max(a_double) from %s where a_double = double('NaN')",
        "select min(a_double) from %s where a_double = double('NaN')",
        "select min(a_decimal32), max(a_decimal64), min(a_decimal128) from %s",
        "select avg(an_int), avg(quarters), count(*) from %s where a_byte between 1 and 20",
        "select sum(quarters), min(an_int), count(an_int) from %s where a_byte > 126 and a_byte < 0",
        "select sum(quarters * 2.0D), count(a_double) from %s where a_string is not null",
        "select sum(part), max(text_part), count(*) from %s"
      })
  void aggregatesGiveWhatSparkGives(String query) {
    String plan = plan(assertSame(query));
    if (PushdownTables.isOffered(query)) {
      // The name of a column that Spark expects of pushed aggregates.
      assertThat(plan).contains("agg_func_0");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select part, count(*) from %s group by part",
        "select part, text_part, sum(an_int), count(a_string) from %s group by part, text_part",
        "select a_boolean, count(*), sum(quarters) from %s group by a_boolean",
        "select a_byte, min(a_double), max(a_float) from %s group by a_byte",
        "select a_byte, min(a_string), max(a_decimal64), sum(small_quarters) from %s group by a_byte",
        "select a_double, count(*) from %s group by a_double",
        "select a_float, part, count(*) from %s where an_int > 0 group by a_float, part",
        "select a_date, a_string, min(a_long), count(*) from %s group by a_date, a_string",
        "select distinct a_byte, a_boolean from %s",
        "select part + 1, avg(an_int) from %s group by part having count(*) > 10",
        "select a_byte, sum(an_int) as s from %s group by a_byte order by s desc limit 5"
      })
  void groupsAreMadeAboveTheScan(String query) {
    assertThat(plan(assertSame(query))).doesNotContain("agg_func").doesNotContain("group_col");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(a_decimal32) from %s",
        "select avg(a_decimal64), avg(cast(a_byte as bigint)) from %s",
        "select bit_xor(an_int) from %s",
        "select sum(an_int) from %s where substring(a_string, 1, 1) = 'a'"
      })
  void whatWouldNotBeExactStaysWithSpark(String query) {
    assertThat(plan(assertSame(query))).doesNotContain("agg_func");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sumsOfLongsOverflowAsSparksDo(boolean ansi) {
    String path = folder.resolve("long-" + ansi).toString();
    spark.range(100).selectExpr("id % 3 as k", "9000000000000000000 as v").write().parquet(path);
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        String.valueOf(ansi),
        () -> {
          for (String query :
              new String[] {"select sum(v) from %s", "select k, sum(v) from %s group by k"}) {
            String sparks = outcome(query.formatted("parquet.`" + path + "`"));
            assertThat(outcome(query.formatted("mooring.`" + path + "`"))).isEqualTo(sparks);
            assertThat(sparks.contains("ARITHMETIC_OVERFLOW")).isEqualTo(ansi);
            String tried = query.replace("sum", "try_sum");
            assertThat(outcome(tried.formatted("mooring.`" + path + "`")))
                .isEqualTo(outcome(tried.formatted("parquet.`" + path + "`")));
          }
        });
  }

  /** Spark stops at the first sum that overflows, whatever comes behind it. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807L, 10L, -20L",
        "-9223372036854775807L, -10L, 20L",
        "1L, 9223372036854775807L, -9223372036854775807L",
        "9223372036854775807L, -1L, 1L, -9223372036854775808L, 5L",
        "-9223372036854775808L, 0L, 9223372036854775807L",
        "-9223372036854775808L, 4611686018427387904L, -9223372036854775808L, -1L"
      })
  void sumsThatOverflowOnTheirWayFailAsSparksDo(String values) {
    String path = folder.resolve("way-" + values.hashCode()).toString();
    // Each value in a row group of its own.
    spark
        .sql("select explode(array(" + values + ")) as v, 1 as k")
        .coalesce(1)
        .write()
        .option("parquet.block.row.count.limit", 1)
        .parquet(path);
    for (String ansi : Matrix.both(values)) {
      Sessions.with(
          spark,
          "spark.sql.ansi.enabled",
          ansi,
          () -> {
            for (String query :
                new String[] {
                  "select sum(v), count(*) from %s",
                  "select try_sum(v) from %s",
                  "select k, sum(v), max(v) from %s group by k",
                  "select k, try_sum(v) from %s group by k"
                }) {
              assertThat(outcome(query.formatted("mooring.`" + path + "`")))
                  .as(query)
                  .isEqualTo(outcome(query.formatted("parquet.`" + path + "`")));
            }
          });
    }
  }

  /** The rows, or the class of the error. */
  private String outcome(String query) {
    try {
      return ScanResults.rows(spark.sql(query)).toString();
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return cause.getMessage().replaceAll("(?s)(\\[[A-Z_.]+\\]).*", "$1");
    }
  }

  @Test
  void aggregatesOfNoFilesAtAllAreThose() {
    String query = "select count(*), sum(an_int) from %s where part = 77";
    assertSame(query);
  }

  @Test
  void aColumnThatAFileLacksIsNullToFiltersAndAggregates() {
    String path = folder.resolve("evolved").toString();
    spark.range(100).selectExpr("id", "id % 4 as k").write().parquet(path);
    spark
        .read()
        .schema("id bigint, k bigint, later int")
        .format("mooring")
        .load(path)
        .createOrReplaceTempView("ours_evolved");
    spark
        .read()
        .schema("id bigint, k bigint, later int")
        .parquet(path)
        .createOrReplaceTempView("sparks_evolved");
    for (String query :
        new String[] {
          "select * from %s_evolved where later is null and id > 50",
          "select * from %s_evolved where later > 3 or id = 7",
          "select k, count(later), max(later), count(*) from %s_evolved group by k",
          "select later, count(*) from %s_evolved group by later",
          "select sum(later), count(*) from %s_evolved"
        }) {
      assertSame(query);
    }
  }

  @Test
  @RequiresGpu
  void theGpuDidIt() {
    Dataset<Row> ours =
        assertSame(
            "select a_byte, count(*), sum(an_int) from %s where a_short > 0 group by a_byte");
    assertThat(ScanResults.metric(ours, "gpuFiles")).isPositive();
    assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
    Dataset<Row> filtered = assertSame("select * from %s where a_short > 0 and a_string < 'n'");
    assertThat(ScanResults.metric(filtered, "cpuFiles")).isZero();
  }
}
