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

/** Row groups that the keys of a join's build side rule out are not read. */
@RequiresGpu
class PruningByJoinsTest {
  private static final String DIM = "(select * from days where month = 7)";
  private static final String DAYS = "(select * from days where long_day between 210 and 239)";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.pinnedPool.size", "64m"));
    // Sales in the order of their days, as a table that grows has them.
    write(
        "sales",
        spark
            .range(0, 100_000, 1, 2)
            .selectExpr(
                "id",
                "if(id % 25 = 3, null, cast(id / 100 as int)) day",
                "id div 100 long_day",
                "date_add(date'2020-01-01', cast(id / 100 as int)) date",
                "cast(id % 100 as decimal(7,2)) price",
                "cast(id % 4 as int) zero"));
    write(
        "days",
        spark
            .range(1000)
            .selectExpr(
                "if(id % 50 = 1, null, cast(id as int)) day",
                "id long_day",
                "date_add(date'2020-01-01', cast(id as int)) date",
                "cast(id / 30 as int) month"));
    String parts = folder.resolve("parts").toString();
    spark
        .range(0, 10_000, 1, 1)
        .selectExpr(
            "id",
            "cast(id % 100 as decimal(7,2)) price",
            "if(id % 34 = 33, null, cast(id % 34 as int)) month",
            "date_add(date'2020-01-01', cast(id % 34 as int) * 30) first")
        .write()
        .partitionBy("month", "first")
        .parquet(parts);
    spark.read().parquet(parts).createOrReplaceTempView("parts");
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

  private static long pruned(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    Stages.assertOnGpuAlone(both.ours());
    // A build side prunes by its own filters.
    return Stages.joined(both.ours()).stream()
        .mapToLong(stage -> stage.metrics().apply("rowGroupsPruned").value())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(s.price), count(*) from sales s join " + DIM + " d on s.day = d.day",
        "select sum(s.price), count(*) from sales s join " + DIM + " d on s.long_day = d.long_day",
        "select sum(s.price), count(*) from sales s join " + DIM + " d on s.date = d.date",
        "select s.id, s.price, d.month from sales s join " + DIM + " d on s.day = d.day",
        "select sum(price) from sales where day in (select day from days where month = 7)",
        "select sum(s.price) from sales s join " + DIM + " d on s.day = d.day where s.id % 3 = 1",
        "select sum(s.price) from sales s join " + DIM + " d on s.day = d.day and s.id > d.month",
        "select sum(s.price) from (select day + 0 other, day, price from sales where price < 50) s"
            + " join "
            + DIM
            + " d on s.day = d.day",
        "select sum(s.price), count(e.month) from sales s left join days e on s.long_day = e.day"
            + " join "
            + DIM
            + " d on s.day = d.day"
      })
  void whatNoKeyIsInIsNotRead(String query) {
    assertThat(pruned(query)).isGreaterThan(30);
  }

  /** Three months, of which 26 row groups of 50 lie between the first and the last. */
  @Test
  void whatLiesBetweenKeysIsNotRead() {
    String months = "(select * from days where month in (4, 14, 24))";
    String query =
        "select sum(s.price), count(*) from sales s join " + months + " d on s.day = d.day";
    assertThat(pruned(query)).isGreaterThan(40);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(s.price), count(*) from parts s join " + DAYS + " d on s.month = d.month",
        "select sum(s.price), count(*) from parts s join " + DAYS + " d on s.first = d.date",
        "select s.id, s.price, d.day from parts s join " + DAYS + " d on s.month = d.month"
      })
  void partitionsWithoutAKeyAreLeftOut(String query) {
    Sessions.with(
        spark,
        "spark.sql.optimizer.dynamicPartitionPruning.enabled",
        "false",
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(Stages.metric(both.ours(), "filesPruned"))
              .as(() -> both.ours().queryExecution().toString())
              .isGreaterThan(10);
        });
  }

  @Test
  void eachOperatorTellsItsRows() {
    String query =
        "select s.price, d.month from sales s join "
            + DIM
            + " d on s.day = d.day where s.id % 2 = 0 and s.day is not null";
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    MooringStageExec stage = Stages.of(both.ours()).get(0);
    long last = 0;
    for (int i = 1; stage.metrics().contains("operatorRows" + i); i++) {
      last = stage.metrics().apply("operatorRows" + i).value();
      assertThat(last).isBetween(1L, 100_000L);
    }
    assertThat(last).isEqualTo(both.ours().count());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(s.price), count(d.month) from sales s left join " + DIM + " d on s.day = d.day",
        "select sum(price) from sales s where not exists"
            + " (select 1 from "
            + DIM
            + " d where s.day = d.day)",
        "select sum(s.price) from sales s join " + DIM + " d on s.day + 1 = d.day"
      })
  void joinsThatKeepOtherRowsRuleNothingOut(String query) {
    assertThat(pruned(query)).isZero();
  }

  /** Values of pages that are not read are none of the column's: nothing may come of them. */
  @Test
  void valuesInPagesThatAreNotReadDoNoHarm() {
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        "true",
        () ->
            assertThat(
                    pruned(
                        "select count(*), sum(12 div s.zero) from sales s join "
                            + DIM
                            + " d on s.day = d.day where s.zero > 0"))
                .isGreaterThan(30));
  }

  @Test
  void sparksSettingForFiltersHoldsForKeysToo() {
    Sessions.with(
        spark,
        "spark.sql.parquet.filterPushdown",
        "false",
        () ->
            assertThat(
                    pruned(
                        "select sum(s.price), count(*) from sales s join "
                            + DIM
                            + " d on s.day = d.day"))
                .isZero());
  }
}
