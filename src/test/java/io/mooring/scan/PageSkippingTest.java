package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.testing.RandomConditions;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages in which no row passes a filter are not read, and nothing is missing. */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageSkippingTest {
  private static final int ROWS = 20_000;
  private static final int PAGE_ROWS = 1_000;
  private static final int PAGES = ROWS / PAGE_ROWS;
  private static final String[] COLUMNS = {
    // Spread over the whole range in every page, so that no statistics decide.
    "cast(id * 7919 % 20011 as int) as key",
    "if(id % 1000 = 77, null, cast(id as int)) as id",
    "if(id = 7, null, id * 1234567891L) as a_long",
    // The writer takes these for columns without nulls.
    "rand(5) as a_double",
    "id % 3 = 0 as a_boolean",
    "if(id = 7, null, sha2(string(id), 256)) as text",
    "if(id = 7, null, cast(id * 3 as decimal(30, 3))) as a_decimal",
    "timestamp_micros(id * 86400000123) as a_timestamp"
  };
  private static final int THINNED_COLUMNS = COLUMNS.length - 1;
  private static final List<String> CODECS = List.of("snappy", "zstd", "gzip", "none");

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("PageSkippingTest seed " + seed);
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.mooring.scan.mergeDistance", "0",
                // What is read is counted.
                "spark.mooring.cache.size", "0",
                "spark.mooring.scan.skipPages", "true",
                "spark.mooring.sql.pushdown", "always",
                // From such reads Spark's reader garbles uncompressed DELTA_BYTE_ARRAY.
                "spark.hadoop.parquet.hadoop.vectored.io.enabled", "false",
                "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** Each test has a folder of its own, because filters are remembered by it. */
  private String written(String name) {
    String path = folder.resolve(name).toString();
    spark
        .range(0, ROWS, 1, 1)
        .selectExpr(COLUMNS)
        .write()
        .option("parquet.page.row.count.limit", PAGE_ROWS)
        .option("parquet.page.size.row.check.min", 100)
        .option("parquet.page.size.row.check.max", 100)
        .option("parquet.enable.dictionary", "false")
        .parquet(path);
    return path;
  }

  private Dataset<Row> same(String path, String query) {
    Dataset<Row> ours = spark.sql(query.formatted("mooring.`" + path + "`"));
    ScanResults.assertSame(ours, spark.sql(query.formatted("parquet.`" + path + "`")));
    assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
    return ours;
  }

  private static int key(int id) {
    return (int) (id * 7919L % 20011);
  }

  @Test
  void onlyThePagesOfTheRowAreRead() throws Exception {
    String path = written("one");
    Dataset<Row> ours = same(path, "select * from %s where key = " + key(5_432));
    assertThat(ScanResults.metric(ours, "pagesSkipped")).isEqualTo(THINNED_COLUMNS * (PAGES - 1L));
    assertThat(ScanResults.metric(ours, "rowGroupsSkipped")).isZero();
    assertThat(ScanResults.metric(ours, "pageIndexBytes")).isPositive();
    assertAllIsReadOrSkipped(path, ours);
  }

  private static void assertAllIsReadOrSkipped(String path, Dataset<Row> ours) throws Exception {
    long all = 0;
    for (BlockMetaData rowGroup :
        ParquetFiles.footer(ScanResults.firstParquetFile(Path.of(path))).rowGroups()) {
      all += rowGroup.getColumns().stream().mapToLong(ColumnChunkMetaData::getTotalSize).sum();
    }
    long read = ScanResults.metric(ours, "bytesRead");
    assertThat(read + ScanResults.metric(ours, "bytesSkipped")).isEqualTo(all);
    assertThat(read).isLessThan(all / 2);
  }

  @Test
  void pagesThatThePlanRulesOutAreNotReadAtAll() throws Exception {
    String path = written("sorted");
    Dataset<Row> ours = same(path, "select * from %s where id between 5100 and 5200");
    assertThat(ScanResults.metric(ours, "pagesSkipped")).isEqualTo(THINNED_COLUMNS * (PAGES - 1L));
    assertThat(ScanResults.metric(ours, "rowGroupsRead")).isEqualTo(1);
    assertAllIsReadOrSkipped(path, ours);
  }

  @Test
  void theFirstLookLeavesOutMoreThanThePlan() throws Exception {
    String path = written("both");
    Dataset<Row> ours = same(path, "select * from %s where id < 5000 and key = " + key(4_321));
    long columns = THINNED_COLUMNS - 1;
    assertThat(ScanResults.metric(ours, "pagesSkipped")).isEqualTo(columns * (PAGES - 1L));
    assertThat(ScanResults.metric(ours, "rowGroupsRead")).isEqualTo(2);
    assertAllIsReadOrSkipped(path, ours);
  }

  @Test
  void pagesOfSeveralRowsAreRead() {
    String path = written("several");
    String keys = key(0) + ", " + key(999) + ", " + key(1_000) + ", " + key(19_999);
    Dataset<Row> ours = same(path, "select * from %s where key in (" + keys + ")");
    assertThat(ScanResults.metric(ours, "pagesSkipped")).isEqualTo(THINNED_COLUMNS * (PAGES - 3L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), sum(a_long), max(text), min(a_decimal) from %s where key = 8731",
        "select count(*), count(id), max(a_double) from %s where key between 100 and 103",
        "select * from %s where id is null and key < 9000",
        "select key, text from %s where not (key <> 77)",
        "select a_timestamp, count(*) from %s where key in (5, 6) group by a_timestamp",
        "select * from %s where key is null",
        "select * from %s where key >= 0",
        "select * from %s where key = 17 and upper(text) > '0'"
      })
  void nothingIsMissing(String query) {
    String path = written("query" + query.hashCode());
    // The second time it is known whether late materialization pays.
    same(path, query);
    same(path, query);
  }

  @Test
  void theSettingOfParquetIsObeyed() {
    String path = written("setting");
    Dataset<Row> ours =
        spark
            .read()
            .format("mooring")
            .option("parquet.filter.columnindex.enabled", "false")
            .load(path)
            .filter("key = " + key(5_432));
    assertThat(ScanResults.rows(ours)).hasSize(1);
    assertThat(ScanResults.metric(ours, "pagesSkipped")).isZero();
    assertThat(ScanResults.metric(ours, "pageIndexBytes")).isZero();
  }

  @RepeatedTest(10)
  void randomConditionsFindTheSameRows(RepetitionInfo run) {
    String path = folder.resolve("random" + run.getCurrentRepetition()).toString();
    writeRandom(path);
    Dataset<Row> sparks = spark.read().parquet(path);
    Dataset<Row> ours = spark.read().format("mooring").load(path);
    RandomConditions conditions = new RandomConditions(random, sparks.collectAsList());
    String[] columns = sparks.columns();
    for (int i = 0; i < 12; i++) {
      Column condition = conditions.on(columns[random.nextInt(columns.length)]);
      List<String> expected =
          Sessions.with(
              spark,
              "spark.sql.parquet.filterPushdown",
              "false",
              () -> ScanResults.rows(sparks.filter(condition)));
      assertThat(ScanResults.rows(ours.filter(condition)))
          .as(condition.toString())
          .isEqualTo(expected);
    }
  }

  private void writeRandom(String path) {
    boolean v2 = random.nextBoolean();
    // Version 2 writes them as what leaves a file to Spark's reader.
    String[] left = v2 ? new String[] {"a_decimal128"} : new String[0];
    spark
        .createDataFrame(new RandomTables(random.nextLong()).rows(2_000), RandomTables.ALL_TYPES)
        .drop(left)
        .coalesce(1)
        .write()
        .option("compression", CODECS.get(random.nextInt(CODECS.size())))
        .option("parquet.writer.version", v2 ? "v2" : "v1")
        .option("parquet.enable.dictionary", random.nextBoolean())
        .option("parquet.block.row.count.limit", 300 + random.nextInt(2_000))
        .option("parquet.page.row.count.limit", 1 + random.nextInt(100))
        .option("parquet.page.size.row.check.min", 1)
        .option("parquet.page.size.row.check.max", 1 + random.nextInt(50))
        .parquet(path);
  }
}
