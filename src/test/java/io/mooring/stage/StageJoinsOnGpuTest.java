package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.GpuRuntime;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What joins in stages compute on the GPU, of several files, row groups and units a task. */
@RequiresGpu
class StageJoinsOnGpuTest {
  private static final int ROWS_OF_A_ROW_GROUP = 1000;
  private static final int QUERIES = 4;
  private static final String STAR =
      "select i.name, s.label, sum(f.price * i.cost), count(*) from facts f"
          + " join items i on f.item = i.item left join shops s on f.shop = s.shop"
          + " where exists (select 1 from items j where j.code = f.code and j.cost < 40)"
          + " group by i.name, s.label";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of("spark.mooring.pinnedPool.size", "64m", "spark.mooring.sql.pushdown", "never"));
    write(
        "facts",
        spark
            .range(0, 200_000, 1, 4)
            .selectExpr(
                "id",
                "if(id % 11 = 0, null, cast(id % 1300 as int)) item",
                "id % 17 shop",
                "concat('c', id % 230) code",
                "cast(id * 13 % 10007 as decimal(12,2)) price"));
    write(
        "items",
        spark
            .range(1000)
            .selectExpr(
                "cast(id as int) item",
                "concat('name ', id % 9) name",
                "cast(id as decimal(12,2)) cost",
                "concat('c', id % 400) code"));
    write(
        "shops",
        spark
            .range(40)
            .selectExpr("id % 20 shop", "if(id % 5 = 0, null, concat('s', id)) label", "id nr"));
    write("same", spark.range(2000).selectExpr("1L one", "id nr"));
    write(
        "long_rows",
        spark.range(8000).selectExpr("id % 40 k", "id nr", "repeat(chr(97 + id % 26), 3000) t"));
    // One row group: no part of it that can be read alone is small enough.
    String ends = folder.resolve("ends").toString();
    spark
        .range(0, 20_000, 1, 1)
        .selectExpr("id", "if(id < 6000, id % 40, -id) k", "id % 7 g")
        .write()
        .parquet(ends);
    spark.read().parquet(ends).createOrReplaceTempView("ends");
  }

  private static void write(String table, Dataset<?> rows) {
    String path = folder.resolve(table).toString();
    rows.write().option("parquet.block.row.count.limit", ROWS_OF_A_ROW_GROUP).parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static GpuRuntime gpu() {
    return GpuRuntime.current().orElseThrow();
  }

  private static void assertOnGpu(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    Stages.assertOnGpuAlone(both.ours());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        STAR,
        "select f.id, i.name, i.cost from facts f join items i on f.item = i.item where f.id % 50 = 3",
        "select /*+ BROADCAST(f) */ s.nr, f.id from"
            + " (select * from facts where id < 300) f join shops s on f.shop = s.shop",
        "select count(*) from facts f join shops s on f.shop = s.shop",
        "select count(*), sum(s.nr) from facts f join shops s on f.shop = s.shop and f.id % 7 < s.nr % 7",
        "select count(*), count(s.nr), sum(s.nr) from facts f left join shops s"
            + " on f.shop = s.shop and s.nr > f.id % 90",
        "select count(*), sum(f.price) from facts f where exists"
            + " (select 1 from shops s where s.shop = f.shop and s.nr > f.id % 60)",
        "select count(*), sum(f.price) from facts f where not exists"
            + " (select 1 from shops s where s.shop = f.shop and s.nr > f.id % 60)",
        "select count(*), sum(f.price) from facts f where f.item not in"
            + " (select item from items where item is not null) and f.id % 2 = 1 and f.item is not null",
        "select count(*), sum(f.price) from facts f where f.item not in (select item from items)",
        "select count(*), sum(f.price), count(f.item) from facts f"
            + " where f.item not in (select item from items where cost < 0)",
        "select count(*), sum(f.price) from facts f"
            + " where f.code not in (select code from items where cost > 300)",
        "select count(*), sum(f.price) from facts f where f.id % 7 = 1 or exists"
            + " (select 1 from items i where i.item = f.item and i.cost > 500)",
        "select count(*), max(i.name) from facts f join items i on f.item <=> i.item and f.code = i.code",
        "select count(*), max(i.name) from facts f join items i"
            + " on f.price = i.cost and f.item + 1 = i.item",
        "select f.id, i.name from facts f left join items i on f.item = i.item and i.cost < 0"
            + " where f.id % 100 = 1"
      })
  void theGpuJoinsAsSparkDoes(String query) {
    for (String adaptive : List.of("true", "false")) {
      Sessions.with(spark, "spark.sql.adaptive.enabled", adaptive, () -> assertOnGpu(query));
    }
  }

  /** Adaptive execution does away with joins of a null. */
  @Test
  void notInOfANullIsNothing() {
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        "false",
        () ->
            assertOnGpu(
                "select count(*) from facts"
                    + " where shop not in (select if(nr > 30, null, shop) from shops)"));
  }

  /** The rows of one row group make gigabytes of pairs, all of them of its first rows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ BROADCAST(l) */ e.g, count(*), sum(l.nr), min(l.t)"
            + " from ends e join long_rows l on e.k = l.k group by e.g",
        "select count(*), count(l.k), max(l.t) from ends e left join long_rows l on e.k = l.k",
        "select e.id, l.nr from ends e left join long_rows l"
            + " on e.k = l.k and l.nr * 10 + octet_length(l.t) < e.id",
        "select count(*), sum(e.id) from ends e where exists"
            + " (select 1 from long_rows l where l.k = e.k and l.nr + octet_length(l.t) > e.id * 8)",
        "select count(*), sum(e.id) from ends e where not exists"
            + " (select 1 from long_rows l where l.k = e.k and l.nr + octet_length(l.t) > e.id * 8)",
        "select count(*), sum(e.id) from ends e where e.g = 1 or exists"
            + " (select 1 from long_rows l where l.k = e.k and l.nr + octet_length(l.t) > e.id * 8)",
        "select /*+ BROADCAST(l) */ e.id, l.nr from ends e join long_rows l on e.k = l.k"
            + " where octet_length(l.t) + e.id < 3010",
        "select /*+ BROADCAST(l) */ e.g, round(stddev(l.nr), 3), max(l.t)"
            + " from ends e join long_rows l on e.k = l.k group by e.g",
        "select /*+ BROADCAST(l, m) */ e.g, count(*), sum(l.nr + m.nr), min(l.t) from ends e"
            + " join long_rows l on e.k = l.k join long_rows m on e.k = m.k"
            + " where m.nr % 100 = 3 group by e.g"
      })
  void rowsThatMatchManyAreTakenInSlices(String query) {
    // Spark's own joins of millions of pairs are faster if they are compiled.
    Sessions.with(spark, Interpreted.COMPILED, () -> assertTakenInSlices(query));
  }

  private static void assertTakenInSlices(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
    Stages.assertOnGpuAlone(both.ours());
    List<MooringStageExec> joined =
        Stages.of(both.ours()).stream()
            .filter(stage -> stage.simpleString(1000).contains("BroadcastHashJoin"))
            .toList();
    assertThat(joined).hasSize(1);
    // Once: a unit that is too large would be read again, in halves.
    assertThat(joined.get(0).metrics().apply("stageRowsIn").value()).isEqualTo(20_000);
  }

  /** A unit of all rows would give 400 million; Spark adds them up without joining them. */
  @Test
  void aJoinThatMakesManyRowsOfFewTakesThemInParts() {
    Dataset<Row> ours =
        spark.sql(
            "select count(*), sum(s.nr + f.shop) from facts f"
                + " join same s on f.id - f.id + 1 = s.one");
    assertThat(ScanResults.rows(ours))
        .isEqualTo(
            ScanResults.rows(
                spark.sql(
                    "select count(*) * n, sum(shop) * n + count(shop) * nrs"
                        + " from facts, (select count(*) n, sum(nr) nrs from same)"
                        + " group by n, nrs")));
    Stages.assertOnGpuAlone(ours);
  }

  @Test
  void tasksThatAskForTheSameBuildSideAtOnceAreRight() {
    List<String> expected =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> ScanResults.rows(spark.sql(STAR)));
    ExecutorService threads = Executors.newFixedThreadPool(QUERIES);
    try {
      IntStream.range(0, QUERIES)
          .mapToObj(
              i ->
                  CompletableFuture.runAsync(
                      () -> assertThat(ScanResults.rows(spark.sql(STAR))).isEqualTo(expected),
                      threads))
          .toList()
          .forEach(CompletableFuture::join);
    } finally {
      threads.shutdown();
    }
    await().until(() -> gpu().devices().areIdle());
  }

  @Test
  void tablesOfBroadcastsThatSparkHasDroppedGo() {
    assertOnGpu(STAR);
    assertThat(gpu().devices().reservedBytes()).isPositive();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              // Spark drops a broadcast once its plan is garbage; the next scan looks.
              System.gc();
              spark.sql("select sum(id * 2) from facts").collect();
              return gpu().devices().reservedBytes() == 0;
            });
  }
}
