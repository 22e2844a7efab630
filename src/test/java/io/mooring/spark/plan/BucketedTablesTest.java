package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bucketed tables: filters choose the buckets that they choose for Spark's own scan. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BucketedTablesTest {
  private static final int BUCKETS = 8;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    create("longs", "if(id = 900, null, id)");
    create("texts", "if(id = 900, null, concat('key ', id))");
    create("doubles", "if(id = 900, double('NaN'), if(id % 50 = 0, -0.0D, id / 8D))");
    create("decimals", "cast(id / 4 as decimal(12, 2))");
    create("days", "date_add(date'2020-01-01', cast(id % 400 as int))");
  }

  /** A table of one file in each bucket. */
  private void create(String table, String key) {
    spark.sql(
        "create table "
            + table
            + " using parquet clustered by (k) into "
            + BUCKETS
            + " buckets as select /*+ coalesce(1) */ "
            + key
            + " as k, id % 7 as v from range(1000)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** Our scan reads the buckets of Spark's; how many these are. */
  private int assertSameBuckets(String sql) {
    WithAndWithout both = WithAndWithout.run(spark, sql).assertOurs();
    FileSourceScanExec sparks = (FileSourceScanExec) Plans.sparks(both.sparks()).get(0);
    int buckets =
        sparks.optionalBucketSet().isEmpty()
            ? BUCKETS
            : sparks.optionalBucketSet().get().cardinality();
    // Each file has one row group. With a GPU, its statistics may show that no row matches.
    long pruned = ScanResults.metric(both.ours(), "rowGroupsPruned");
    assertThat(ScanResults.filesRead(both.ours()) + pruned).as(sql).isEqualTo(buckets);
    String plan = both.ours().queryExecution().executedPlan().toString();
    if (buckets < BUCKETS) {
      assertThat(plan).contains(" buckets " + buckets + " of " + BUCKETS);
    } else {
      assertThat(plan).doesNotContain(" buckets ");
    }
    return buckets;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "longs where k = 17",
        "longs where k <=> 17 and v > 2",
        "longs where k in (17, 18, 19)",
        "longs where k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)",
        "longs where k is null",
        "longs where k <=> null",
        "longs where k = 17 or k = 404 or k is null",
        "longs where k = 17 or v = 3",
        "longs where (k = 17 or k = 18) and (k = 18 or k = 19)",
        "longs where (k = 17 or v = 1) and (k = 18 or v < 4)",
        "longs where k = cast(17 as int)",
        "longs where k > 990",
        "longs where k <> 17",
        "longs where k + 1 = 18",
        "texts where k = 'key 17'",
        "texts where k in ('key 17', 'no key', '')",
        "texts where k like 'key 17%'",
        "doubles where k = 0.0D",
        "doubles where k = double('NaN') or k = 2.5D",
        "decimals where k = 4.25",
        "days where k = '2020-02-29'",
        "days where k in (date'2020-02-29', date'2021-01-01')"
      })
  void filtersChooseBuckets(String from) {
    assertSameBuckets("select v from " + from);
    assertSameBuckets("select count(*), sum(v) from " + from);
    assertSameBuckets("select v, count(*), max(k) from " + from + " group by v");
  }

  @Test
  void someFiltersLeaveSomeBuckets() {
    assertThat(assertSameBuckets("select v from longs where k = 17")).isEqualTo(1);
    assertThat(assertSameBuckets("select v from longs where k in (17, 18, 19)")).isBetween(2, 3);
    assertThat(assertSameBuckets("select v from longs where k > 990")).isEqualTo(BUCKETS);
  }

  @Test
  void allFilesAreReadWhereBucketsDoNotCount() {
    Sessions.with(
        spark,
        "spark.sql.sources.bucketing.enabled",
        "false",
        () -> {
          WithAndWithout both =
              WithAndWithout.run(spark, "select k, v from longs where k = 17").assertOurs();
          assertThat(ScanResults.filesRead(both.ours())).isEqualTo(BUCKETS);
        });
    spark.sql(
        "create table pairs using parquet clustered by (k, v) into 8 buckets as"
            + " select /*+ coalesce(1) */ k, v from longs");
    assertSameBuckets("select k from pairs where k = 17 and v = 3");
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, v from longs",
        "select k, v from longs where k in (17, 404)",
        "select * from longs where v = 3 order by k, v limit 10",
        "select x from (select k + 1 as x, k from longs) where x > 990 sort by k"
      })
  void readsWithoutAShuffleToSaveAreOurs(String sql) {
    for (String adaptive : Matrix.both(sql)) {
      Sessions.with(spark, "spark.sql.adaptive.enabled", adaptive, () -> assertSameBuckets(sql));
    }
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a.v, b.v from longs a join longs b on a.k = b.k",
        "select k, count(*) from longs group by k",
        "select count(distinct k) from longs",
        "select distinct k, v from longs",
        "select k, v, sum(v) over (partition by k order by v) from longs",
        "select /*+ repartition(8, k) */ k, v from longs",
        "select k from longs union select v from longs"
      })
  void shufflesThatBucketsSaveAreNotMade(String sql) {
    for (String adaptive : Matrix.both(sql)) {
      Sessions.with(
          spark,
          Map.of(
              "spark.sql.adaptive.enabled",
              adaptive,
              "spark.sql.autoBroadcastJoinThreshold",
              "-1",
              "spark.sql.shuffle.partitions",
              "8"),
          () -> WithAndWithout.run(spark, sql).assertEqualCounts("Exchange", "Sort"));
    }
  }

  /** Else the plans differ, and dynamic pruning finds no broadcast to use. */
  @Test
  void aBroadcastOfABucketedTablePrunesPartitions() {
    spark.sql(
        "create table days_of using parquet partitioned by (p) as select id as v, id % 20 as p"
            + " from range(400)");
    for (String adaptive : List.of("true", "false")) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> {
            WithAndWithout both =
                WithAndWithout.run(
                    spark,
                    "select f.v, d.v from days_of f join longs d on f.p = d.k where d.v = 3");
            both.assertEqualCounts("BroadcastExchange", "ReusedExchange", "BroadcastHashJoin");
          });
    }
  }

  @Test
  void bucketsOfPartitions() {
    spark.sql(
        "create table parts using parquet partitioned by (p) clustered by (k) into 8 buckets as"
            + " select /*+ coalesce(1) */ k, v, v % 2 as p from longs");
    WithAndWithout both =
        WithAndWithout.run(spark, "select v, p from parts where k = 17 and p = 1").assertOurs();
    assertThat(ScanResults.filesRead(both.ours())).isLessThanOrEqualTo(1);
    WithAndWithout all =
        WithAndWithout.run(spark, "select v, p from parts where k = 17").assertOurs();
    assertThat(ScanResults.filesRead(all.ours())).isEqualTo(2);
  }
}
