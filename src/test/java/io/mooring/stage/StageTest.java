package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.testing.Interpreted;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stages compute on the GPU, of several files, row groups and units a task. */
@RequiresGpu
class StageTest {
  private static final String ENABLED = "spark.mooring.sql.enabled";
  private static final String PUSHDOWN = "spark.mooring.sql.pushdown";
  private static final int ROWS_OF_A_ROW_GROUP = 10_000;
  private static final int ROWS = 200_000;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            // Spark's own queries over so many rows are faster if they are compiled.
            Interpreted.compiledAnd(
                Map.of(
                    "spark.mooring.pinnedPool.size", "64m",
                    // A unit of each row group, and so many to merge in a task.
                    "spark.mooring.scan.batchSize", "1m",
                    "spark.mooring.scan.coalesceSize", "0")));
    write("lineitem", ROWS, 4, "id");
    write("tiny", 50, 1, "id");
    spark
        .range(0, 40_000, 1, 4)
        .selectExpr("id v", "cast(id % 7 as int) part", "concat('t', id % 3) text")
        .write()
        .partitionBy("part", "text")
        .parquet(folder.resolve("parts").toString());
    spark.read().parquet(folder.resolve("parts").toString()).createOrReplaceTempView("parts");
    spark
        .sql(
            "select id, 9223372036854775000 + id % 2 big, cast('"
                + "9".repeat(38)
                + "' as decimal(38,0)) wide from range(1000)")
        .write()
        .parquet(folder.resolve("large").toString());
    spark.read().parquet(folder.resolve("large").toString()).createOrReplaceTempView("large");
  }

  private static void write(String table, int rows, int files, String key) {
    String path = folder.resolve(table).toString();
    spark
        .range(0, rows, 1, files)
        .selectExpr(
            key + " l_key",
            "cast(id % 50 + 1 as decimal(15,2)) l_quantity",
            "cast(id * 7919 % 10494950 as decimal(15,2)) / 100 + 900 l_price",
            "cast(cast(id % 11 as decimal(15,2)) / 100 as decimal(15,2)) l_discount",
            "cast(cast(id % 9 as decimal(15,2)) / 100 as decimal(15,2)) l_tax",
            "if(id % 3 = 0, 'A', if(id % 3 = 1, 'N', 'R')) l_flag",
            "if(id % 2 = 0, 'O', 'F') l_status",
            "date_add(date'1992-01-01', cast(id * 31 % 2526 as int)) l_ship",
            "if(id % 5 = 0, null, concat('PROMO ', id % 25, if(id % 4 = 0, 'ä', ''))) l_type",
            "if(id % 6 = 0, null, cast(id % 1000 as int)) l_int",
            "if(id % 8 = 0, null, id % 64 / 4.0D) l_quarters",
            "if(id % 10 = 0, double('nan'), if(id % 7 = 0, null, id * 1.5D)) l_double",
            "if(id % 7 = 0, null, id % 2 = 0) l_flagged",
            "timestamp_micros(id * 1000003) l_time")
        .selectExpr("*", "cast(l_price as decimal(15,2)) l_extended")
        .write()
        .option("parquet.block.row.count.limit", ROWS_OF_A_ROW_GROUP)
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static WithAndWithout onGpu(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    Stages.assertOnGpuAlone(both.ours());
    return both;
  }

  @Test
  void q1LeavesTheStageAsItsGroups() {
    WithAndWithout both =
        onGpu(
            "select l_flag, l_status, sum(l_quantity), sum(l_extended),"
                + " sum(l_extended * (1 - l_discount)),"
                + " sum(l_extended * (1 - l_discount) * (1 + l_tax)), avg(l_quantity),"
                + " avg(l_extended), avg(l_discount), count(*) from lineitem"
                + " where l_ship <= date'1998-12-01' - interval 90 days"
                + " group by l_flag, l_status order by l_flag, l_status");
    // Six groups of at most as many tasks as files.
    assertThat(Stages.metric(both.ours(), "stageRowsOut")).isBetween(6L, 24L);
    assertThat(Stages.metric(both.ours(), "operatorNanos")).isPositive();
  }

  /** Expressions and functions that occur more than once are computed once. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "l_flag, sum(l_int), avg(l_int), count(l_int), sum(l_int + 1), avg(l_int + 1),"
            + " min(l_int + 1), max(l_int + 1) from lineitem group by l_flag",
        "l_flag, sum(l_int) filter (where l_tax > 0.03), avg(l_int) filter (where l_tax > 0.03),"
            + " count(l_int) filter (where l_tax > 0.03), avg(l_int) filter (where l_tax < 0.03),"
            + " sum(l_int), count(*) filter (where l_tax < 0.03) from lineitem group by l_flag",
        "sum(cast(l_int % 100 as tinyint)), avg(cast(l_int % 100 as tinyint)),"
            + " sum(cast(l_int as smallint)), sum(cast(l_int as smallint) + 1),"
            + " sum(cast(l_int as smallint) + 2), sum(l_key), avg(l_key), count(l_key), count(*),"
            + " count(l_int), count(l_int, l_type), count(l_key, l_flag) from lineitem",
        "l_status, sum(l_quarters), avg(l_quarters), max(l_quarters), count(l_quarters),"
            + " sum(cast(l_quarters as float)), min(l_double), max(l_double), count(l_double)"
            + " from lineitem group by l_status",
        "l_int % 7, sum(if(l_int <> 0, 100 div l_int, 100 div (l_int + 1))),"
            + " sum(100 div (l_int + 1)), sum(case when l_int % 7 > 3 then l_int % 7"
            + " else -(l_int % 7) end), max(l_int % 7) from lineitem group by l_int % 7",
        "l_key, l_int * 3 + l_int * 3, l_int * 3, concat(upper(l_flag), upper(l_flag)),"
            + " upper(l_flag) from lineitem where l_int * 3 between 100 and 2000 or l_int * 3 = 15"
      })
  void whatOccursMoreThanOnce_isSparks(String rest) {
    onGpu("select " + rest);
  }

  @Test
  void groupsOfNothingAndSeveralDistinctCountsAreSparks() {
    // No scan of ours is left in the first plan.
    WithAndWithout.run(
        spark,
        "select l_flag, sum(l_extended * 2) from lineitem where l_key * 2 < 0 group by l_flag");
    WithAndWithout.run(
        spark,
        "select l_flag, count(distinct l_type), count(distinct l_ship) from lineitem group by l_flag");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(l_extended * l_discount) from lineitem where l_ship >= date'1994-01-01'"
            + " and l_ship < date'1995-01-01' and l_discount between 0.05 and 0.07 and l_quantity < 24",
        "select 100.00 * sum(case when l_type like 'PROMO 1%' then l_extended * (1 - l_discount)"
            + " else 0 end) / sum(l_extended * (1 - l_discount)) from lineitem",
        "select l_type, count(*), sum(l_extended), max(l_ship) from lineitem group by l_type",
        "select l_discount, l_ship, count(l_int), avg(l_int) from lineitem group by l_discount, l_ship",
        "select year(l_ship) y, sum(l_extended * l_tax) from lineitem group by year(l_ship)",
        "select l_flag, l_status, l_type, sum(l_extended), count(*), grouping_id() from lineitem"
            + " group by rollup(l_flag, l_status, l_type)",
        "select l_flag, l_ship, avg(l_discount), min(l_type) from lineitem where l_quantity * 2 > 30"
            + " group by cube(l_flag, l_ship)",
        "select l_type, l_int % 50, sum(l_int), round(stddev(l_int), 6) from lineitem"
            + " group by grouping sets((l_type), (l_int % 50), (l_type), ())",
        "select l_flag, count(distinct l_type), count(distinct l_ship), sum(l_extended) from lineitem"
            + " group by l_flag",
        "select l_flag, count(distinct l_type), count(*), sum(l_int) from lineitem group by l_flag",
        "select count(distinct l_int), count(*) from lineitem where l_quantity * 2 > 30",
        "select l_status, sum(l_extended) filter (where l_flag = 'A'), count(*) filter (where l_int > 500),"
            + " min(l_type) filter (where l_flagged), avg(l_discount) filter (where l_int < 0)"
            + " from lineitem group by l_status",
        "select l_flag, min(l_double) + 0D, max(l_double), min(l_quarters), max(l_quarters),"
            + " min(l_type), max(l_type), min(l_flagged), max(l_flagged), min(l_time), max(l_ship),"
            + " min(l_extended), max(l_extended * l_tax) from lineitem group by l_flag",
        "select l_flag, sum(l_quarters), avg(l_quarters), sum(l_int), avg(l_int), sum(l_key)"
            + " from lineitem group by l_flag",
        "select l_flag, round(stddev_samp(l_quarters), 6), round(var_pop(l_int), 4),"
            + " round(stddev_pop(l_double), 3) from lineitem group by l_flag",
        "select l_key, count(*), sum(l_extended * 2) from lineitem group by l_key",
        "select l_key % 70000 k, sum(l_extended * 2) from lineitem group by l_key % 70000",
        "select l_double, count(*) from lineitem where l_double < 100 or l_double > 1e30"
            + " group by l_double",
        "select sum(l_extended * 2), min(l_type), count(*) from lineitem where l_key * 2 < 0",
        "select l_key + 1, l_extended * l_tax, concat(l_type, '!'), l_ship from lineitem"
            + " where l_key % 3 = 1 and l_int + 1 < 500",
        "select sum(l_extended * 2), max(l_type), count(*) from tiny",
        "select part, text, count(*), sum(v * 2) from parts group by part, text",
        "select text, sum(v * part) from parts where v * 2 % 3 = 0 group by text",
        "select distinct l_flag, l_status, l_flagged from lineitem",
        "select l_flag, l_status, year(l_ship), sum(l_extended * l_tax), count(*), avg(l_int),"
            + " grouping_id() from lineitem group by rollup(l_flag, l_status, year(l_ship))",
        "select l_flag, l_int % 100, sum(l_extended), max(l_type), round(stddev(l_int), 4)"
            + " from lineitem group by cube(l_flag, l_int % 100)",
        "select l_flag, sum(l_extended * 2), min(l_type) from lineitem"
            + " group by grouping sets ((l_flag), (l_flag), ())",
        "select l_flag, count(distinct l_type), count(distinct l_ship), sum(l_int)"
            + " from lineitem group by l_flag",
        "select l_key, l_ship, sum(l_extended), count(*) from lineitem group by rollup(l_key, l_ship)"
      })
  void theGpuComputesWhatSparkDoes(String query) {
    Sessions.with(spark, PUSHDOWN, "never", () -> onGpu(query));
    WithAndWithout.run(spark, query).assertOurs();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(big + 0) from large",
        "select id % 3, sum(big + 0) from large group by id % 3",
        "select sum(wide + 0) from large",
        "select id % 3 k, sum(wide), avg(wide) from large group by id % 3",
        "select sum(cast(concat(if(id = 500, 'x', ''), id) as int)) from large",
        "select sum(100 div (id - 500)) from large",
        "select max(big + 1000) from large"
      })
  void overflowsAndErrorsAreSparks(String query) {
    for (String ansi : new String[] {"true", "false"}) {
      Sessions.with(
          spark,
          Map.of("spark.sql.ansi.enabled", ansi, PUSHDOWN, "never"),
          () -> assertThat(outcome(query)).isEqualTo(sparks(query)));
    }
  }

  /** The rows, or the first line of the error with its class. */
  private static String outcome(String query) {
    StringBuilder rows = new StringBuilder();
    Throwable error =
        catchThrowable(
            () -> io.mooring.testing.ScanResults.rows(spark.sql(query)).forEach(rows::append));
    Throwable root = error;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root == null
        ? rows.toString()
        : root.getClass() + " " + String.valueOf(root.getMessage()).lines().findFirst().orElse("");
  }

  private static String sparks(String query) {
    return Sessions.with(spark, ENABLED, "false", () -> outcome(query));
  }

  @Test
  void whatOverflowsIsLeftToSparkAndCounted() {
    Sessions.with(
        spark,
        Map.of("spark.sql.ansi.enabled", "false", PUSHDOWN, "never"),
        () -> {
          WithAndWithout both =
              WithAndWithout.run(spark, "select id % 3 k, sum(wide) from large group by id % 3");
          assertThat(Stages.metric(both.ours(), "sparkSplits")).isPositive();
        });
  }
}
