package io.mooring.spark.plan.aggregates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sorts above exchanges that have run: with few rows they need no exchange of their own. */
class SmallSortsTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of("spark.mooring.sql.singleTaskAggregates", "always"));
    // Groups that no stage makes: their exchange stays.
    spark.range(0, 3000, 1, 4).selectExpr("id", "id % 7 k").createOrReplaceTempView("t");
    spark
        .range(0, 1_000_000, 1, 4)
        .selectExpr("id * 7 % 1000003 k")
        .createOrReplaceTempView("many");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<SparkPlan> exchanges(Dataset<Row> rows) {
    return Plans.nodes(rows, ShuffleExchangeExec.class::isInstance);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select k, sum(id) s from t group by k order by s desc | 1",
        "select k + 1 j, s from (select k, sum(id) s from t group by k) where s > 9 order by j | 1",
        "select k, count(distinct id % 5) c from t group by k order by k | 2",
        "select k, collect_set(id % 3) c from t group by k order by k | 1",
        "select k, max(n) m from (select k, id % 3 j, count(*) n from t group by 1, 2) group by k order by k | 2",
        "select id from t order by id desc | 1",
        "select id + 1 j from (select /*+ repartition(9) */ id from t) order by j | 2",
        "select id + 1 j from (select /*+ repartition(9, k) */ id, k from t) order by j | 2",
        "select k, count(*) n from many group by k order by n, k | 2",
        "select k, n from (select k, count(*) n from t group by k) order by n, k | 1",
        "select k, r from (select k, s, rank() over (order by s) r from (select k, sum(id) s from t group by k))"
            + " order by r | 2",
        "select a.k, s, n from (select k, sum(id) s from t group by k) a join (select k, count(*) n from t"
            + " group by k) b on a.k = b.k order by n, s | 3",
      })
  void smallSortsHaveNoExchange(String query, int expected) {
    Dataset<Row> ours = spark.sql(query);
    List<Row> rows = ours.collectAsList();
    assertThat(exchanges(ours)).as(query).hasSize(expected);
    assertThat(rows).isEqualTo(sparks(query));
  }

  private static List<Row> sparks(String query) {
    return Sessions.with(
        spark, "spark.mooring.sql.enabled", "false", () -> spark.sql(query).collectAsList());
  }

  @ParameterizedTest
  @CsvSource({"spark.mooring.sql.singleTaskAggregates, never", "spark.sql.adaptive.enabled, false"})
  void theyKeepItWhereNothingIsMeasuredOrWanted(String key, String value) {
    String query = "select k, sum(id) s from t group by k order by s desc";
    Dataset<Row> ours =
        Sessions.with(
            spark,
            key,
            value,
            () -> {
              Dataset<Row> rows = spark.sql(query);
              assertThat(rows.collectAsList()).isEqualTo(sparks(query));
              return rows;
            });
    assertThat(exchanges(ours)).hasSize(2);
  }

  @Test
  void aRepartitionStays() {
    Dataset<Row> ours =
        spark.sql(
            "select /*+ repartition(3) */ k, s from (select k, sum(id) s from t group by k order by s)");
    assertThat(ours.collectAsList()).hasSize(7);
    assertThat(ours.rdd().getNumPartitions()).isEqualTo(3);
  }

  /** Its final aggregate fails before the files are deleted only if the exchange stays. */
  @Test
  void anOverwriteThatFailsLeavesTheFiles() {
    String path = folder.resolve("old").toString();
    spark.sql("select 1L k, 1L s").write().parquet(path);
    String write =
        "insert overwrite directory '%s' using parquet".formatted(path)
            + " select k, s div (k - 3) s from (select k, sum(id) s from t group by k) order by k";
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        "true",
        () -> {
          assertThatThrownBy(() -> spark.sql(write)).hasStackTraceContaining("DIVIDE_BY_ZERO");
          return null;
        });
    assertThat(spark.read().parquet(path).count()).isEqualTo(1);
  }
}
