package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.GpuRuntime;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.memory.PinnedPool;
import io.mooring.metrics.FileFallbacks;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RandomNested;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One row group decoded to dozens of tables: every value is the one written. */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChunkedDecodeTest {
  private static final int ROWS = 12_000;
  private static final int DISTINCT_ROWS = 50;
  // Of each of two partitions.
  private static final int FILES = 3;
  private static final int NESTED_ROWS = 6_000;
  private static final int MANY_CHUNKS = 10;
  private static final int QUERIES_OF_A_FILE = 3;
  // Chunks end where pages do.
  private static final int[] PAGE_ROWS = {100, 200, 500};
  // In version 2 in an encoding that is left to Spark's reader.
  private static final String FIXED_LENGTH_TYPE = "DECIMAL(38,10)";
  private static final int OUT_OF_MEMORY = 2;
  private static final long SMALL_BYTES = 64 << 10;
  private static final String[] QUERIES = {
    "select * from %s",
    "select a_string, an_int, a_binary from %s where an_int > 0",
    "select * from %s where a_string like '%%e%%' or a_double > 1e9",
    "select a_long from %s where a_date is null and a_boolean",
    "select count(*), sum(an_int), min(a_string), max(a_timestamp), count(a_decimal64) from %s",
    "select count(*), max(a_double), sum(a_decimal32) from %s where a_short <> 7",
    "select a_byte, count(*), sum(an_int), max(a_string) from %s group by a_byte",
    "select a_boolean, min(a_long), avg(a_short) from %s where an_int < 0 group by a_boolean"
  };

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private SparkSession spark;
  private int tables;

  @BeforeAll
  void start() {
    System.out.println("ChunkedDecodeTest seed " + seed);
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "256m",
                "spark.mooring.sql.pushdown", "always",
                "spark.mooring.scan.decodeSize", "64k",
                "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  private String write(Dataset<Row> rows, String codec, String version, boolean dictionary) {
    return write(rows, codec, version, dictionary, new String[0]);
  }

  private String write(
      Dataset<Row> rows, String codec, String version, boolean dictionary, String... partitions) {
    String path = folder.resolve("t" + tables++).toString();
    rows.write()
        .partitionBy(partitions)
        .option("compression", codec)
        .option("parquet.writer.version", version)
        .option("parquet.enable.dictionary", dictionary)
        .option("parquet.page.row.count.limit", PAGE_ROWS[random.nextInt(PAGE_ROWS.length)])
        .option("parquet.page.size", (1 << 10) << random.nextInt(8))
        .option("parquet.page.size.row.check.min", 10)
        .option("parquet.page.size.row.check.max", 100)
        .parquet(path);
    return path;
  }

  private Dataset<Row> flat(boolean repeated) {
    List<Row> rows = new RandomTables(random.nextLong()).rows(repeated ? DISTINCT_ROWS : ROWS);
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      all.add(rows.get(repeated ? random.nextInt(DISTINCT_ROWS) : i));
    }
    return spark.createDataFrame(all, RandomTables.ALL_TYPES).coalesce(1);
  }

  /** Runs a query over a table of ours and over the rows that were written to it. */
  private Dataset<Row> same(String sql, String path, Dataset<Row> written) {
    written.createOrReplaceTempView("written");
    Dataset<Row> ours = spark.sql(sql.formatted("mooring.`" + path + "`"));
    assertThat(ScanResults.rows(ours))
        .isEqualTo(ScanResults.rows(spark.sql(sql.formatted("written"))));
    return ours;
  }

  private static void assertChunked(Dataset<Row> ours, int least) {
    assertThat(ScanResults.metric(ours, "cpuFiles")).as(() -> "" + FileFallbacks.take()).isZero();
    assertThat(ScanResults.metric(ours, "gpuFiles")).isPositive();
    assertThat(ScanResults.metric(ours, "chunksDecoded")).isGreaterThanOrEqualTo(least);
  }

  @ParameterizedTest
  @CsvSource({
    "none, true",
    "none, false",
    "snappy, true",
    "snappy, false",
    "gzip, true",
    "gzip, false",
    "zstd, true",
    "zstd, false",
    "lz4_raw, true",
    "lz4_raw, false"
  })
  void everyValueIsTheOneWritten(String codec, boolean dictionary) {
    Dataset<Row> written = flat(dictionary);
    String path = write(written, codec, "v1", dictionary);
    assertChunked(same(QUERIES[0], path, written), MANY_CHUNKS);
    for (int i = 0; i < QUERIES_OF_A_FILE; i++) {
      String query = QUERIES[random.nextInt(QUERIES.length)];
      assertChunked(same(query, path, written), 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void nestedValuesAreDecodedAtOnce(String version) {
    RandomNested nested = new RandomNested(random.nextLong());
    StructType schema = nested.schema(2, 3);
    while (version.equals("v2") && schema.sql().contains(FIXED_LENGTH_TYPE)) {
      schema = nested.schema(2, 3);
    }
    Dataset<Row> written =
        spark.createDataFrame(nested.rows(schema, NESTED_ROWS), schema).coalesce(1);
    Dataset<Row> ours = same("select * from %s", write(written, "zstd", version, true), written);
    assertThat(ScanResults.metric(ours, "gpuFiles")).isEqualTo(1);
    assertThat(ScanResults.metric(ours, "chunksDecoded")).isZero();
  }

  /** Their levels lie in front of what is compressed, which chunks are not planned for. */
  @Test
  void zstdPagesOfVersion2AreDecodedAtOnce() {
    Dataset<Row> written =
        spark.range(0, ROWS, 1, 1).selectExpr("id % 90 as id", "string(id % 50) as text");
    Dataset<Row> ours = same(QUERIES[0], write(written, "zstd", "v2", true), written);
    assertThat(ScanResults.metric(ours, "gpuFiles")).isEqualTo(1);
    assertThat(ScanResults.metric(ours, "chunksDecoded")).isZero();
  }

  @Test
  void pagesThatAreLeftOutAreLeftOutOfChunks() {
    Dataset<Row> written =
        spark
            .range(0, ROWS, 1, 1)
            .selectExpr("id", "if(id = 7, null, sha2(string(id), 256)) as text", "rand(5) as r");
    String path = write(written, "snappy", "v1", false);
    Dataset<Row> ours = same("select * from %s where id between 5100 and 9000", path, written);
    assertChunked(ours, 2);
    assertThat(ScanResults.metric(ours, "pagesSkipped")).isPositive();
  }

  @Test
  void aLookAtSomeColumnsGoesBeforeChunks() {
    Dataset<Row> written =
        spark
            .range(0, 5_000, 1, 1)
            .selectExpr(
                "cast(id * 7919 % 20011 as int) as key",
                "id as other", "repeat(sha2(string(id), 256), 3) as text");
    String path = write(written, "snappy", "v1", false);
    // Pages of one row are left after the look.
    assertChunked(same("select * from %s where key = 7919", path, written), 1);
  }

  @Test
  void rowsOfSeveralFilesKeepTheirFile() {
    Dataset<Row> written =
        spark
            .range(0, ROWS, 1, FILES)
            .selectExpr("id", "id % 2 as p", "sha2(string(id), 256) as text");
    String path = write(written, "snappy", "v1", true, "p");
    String sql = "select id, p, text from %s where id %% 5 <> 2";
    assertChunked(same(sql, path, written), 2 * FILES + 1);
    String names = "select input_file_name() as name, count(*), sum(id) from %s group by name";
    ScanResults.assertSame(
        spark.sql(names.formatted("mooring.`" + path + "`")),
        spark.sql(names.formatted("parquet.`" + path + "`")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from %s",
        "select * from %s where an_int > 0",
        "select count(*), sum(an_int) from %s",
        "select count(*), sum(an_int) from %s where an_int is null",
        "select a_byte, count(*) from %s group by a_byte"
      })
  void aUnitThatFailsHalfWayIsGivenOnceBySparksReader(String sql) {
    Dataset<Row> written = flat(false);
    String path = write(written, "snappy", "v1", false);
    try (LogCapture log = LogCapture.open()) {
      FaultJni.failNth(Point.DECODE, 2, OUT_OF_MEMORY);
      Dataset<Row> ours = same(sql, path, written);
      assertThat(ScanResults.metric(ours, "chunksDecoded")).isPositive();
      assertThat(ScanResults.metric(ours, "cpuFiles")).isEqualTo(1);
      assertThat(ScanResults.metric(ours, "gpuFiles")).isZero();
      assertThat(log.messages(Level.ERROR)).isEmpty();
    }
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    await().until(() -> gpu.devices().areIdle());
    await().until(() -> PinnedPool.stats().bytesInUse() < SMALL_BYTES);
    assertChunked(same(sql, path, written), 1);
  }
}
