package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Averages at the bounds of their types: Spark adds them up in double or in longer decimals, where
 * sums of their own type overflow.
 */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AveragesTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.sql.stages", "never"));
    // One file: sums of doubles have one order.
    spark.sql(
        "create table numbers using parquet as select"
            + " cast(id % 3 as int) as k,"
            + " if(id % 11 = 0, null, 9223372036854775807 - id % 5) as big,"
            + " if(id % 2 = 0, -9223372036854775808, -9223372036854775807) as low,"
            + " cast(2147483647 - id % 2 as int) as an_int,"
            + " cast(32767 as smallint) as a_short, cast(-128 as tinyint) as a_byte,"
            + " cast('999999999' as decimal(9, 0)) as d9,"
            + " cast('9999999999' as decimal(10, 0)) as d10,"
            + " cast('99999999999' as decimal(11, 0)) as d11,"
            + " cast('999999999999999999' as decimal(18, 0)) as d18,"
            + " cast('99999999999999999999999999999999999999' as decimal(38, 0)) as d38,"
            + " date'2020-01-01' as day"
            + " from range(0, 400, 1, 1)");
    spark.sql("create table one using parquet as select 1 as r");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private WithAndWithout same(String sql) {
    return WithAndWithout.run(spark, sql).assertOurs();
  }

  private void inBothModes(Runnable check) {
    inModes(List.of("true", "false"), check);
  }

  private void inModes(List<String> modes, Runnable check) {
    for (String ansi : modes) {
      Sessions.with(spark, "spark.sql.ansi.enabled", ansi, check);
    }
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select avg(big) from numbers",
        "select try_avg(big), count(*) from numbers",
        "select avg(low), avg(big), min(big) from numbers where k < 2",
        "select k, avg(big) from numbers group by k",
        "select k, try_avg(low), max(low) from numbers where an_int > 0 group by k",
        "select avg(case when k = 1 then big end) from numbers",
        "select avg(if(k = 1, big, null)), avg(if(k = 2, low, 0)) from numbers",
        "select k, avg(case when an_int > 5 then big else low end) from numbers group by k",
        "select avg(big) filter (where k = 1) from numbers",
        "select k, avg(big) filter (where an_int > 5), count(*) from numbers group by k",
        "select avg(big), count(distinct k) from numbers",
        "select k, avg(big), count(distinct an_int) from numbers group by k",
        "select avg(cast(an_int as bigint)) from numbers",
        "select avg(d10), avg(d11), avg(d18) from numbers",
        "select k, avg(d18), try_avg(d18) from numbers group by k",
        "select avg(big) + avg(an_int), avg(big) / count(big) from numbers",
        "select k from numbers group by k having avg(big) > 0",
        "select avg(big) from numbers where k = 7",
        "select x.a, y.a from (select avg(big) as a from numbers where k = 1) x,"
            + " (select avg(low) as a from numbers where k = 2) y"
      })
  void thoseWhoseSumsOverflowAreAddedUpBySpark(String sql) {
    inModes(Matrix.both(sql), () -> assertThat(same(sql).scansAggregate()).isFalse());
  }

  @Test
  void thoseOfDistinctValuesAreSparks() {
    inBothModes(() -> same("select avg(distinct big), count(distinct big) from numbers"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select (select avg(big) from numbers where k = 1), (select avg(big) from numbers where k ="
            + " 2) from one",
        "select (select avg(big) from numbers where k = 1), (select count(*) from numbers where k ="
            + " 2) from one where r = 1"
      })
  void thoseOfSubqueriesThatCouldBeMergedAreSparks(String sql) {
    inBothModes(
        () -> assertThat(same(sql).ours().queryExecution().toString()).doesNotContain("merged"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select avg(an_int), avg(a_short), avg(a_byte), avg(d9) from numbers",
        "select try_avg(an_int), avg(d9) from numbers where k > 0",
        "select avg(if(k = 1, an_int, null)) from numbers"
      })
  void thoseWhoseSumsFitAreEvaluatedByTheScan(String sql) {
    inBothModes(() -> assertThat(same(sql).scansAggregate()).isTrue());
  }

  /** What Spark pushes down in other words than the query's, or not at all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select avg(d38) from numbers where k = 1",
        "select try_avg(d38), count(*) from numbers",
        "select try_sum(big), try_sum(d38), count(*) from numbers",
        "select var_pop(an_int), stddev_samp(a_short), covar_pop(an_int, a_byte) from numbers",
        "select corr(an_int, k), regr_slope(an_int, k), regr_avgx(big, k) from numbers",
        "select count(big, k), count_if(big > 0), every(k < 9), bool_or(k = 1) from numbers",
        "select mean(big), std(an_int), kurtosis(k), any_value(a_byte), mode(a_byte) from numbers"
      })
  void otherFunctionsOfTheirSumsAreSparks(String sql) {
    Sessions.with(spark, "spark.sql.ansi.enabled", "false", () -> same(sql));
  }
}
