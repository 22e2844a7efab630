package io.mooring.scan;

import static io.mooring.scan.ChunkedTables.ALL;
import static io.mooring.scan.ChunkedTables.assertChunked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.GpuRuntime;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
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
  // The files of each of two partitions.
  private static final int FILES = 3;
  private static final int MANY_CHUNKS = 10;
  private static final int QUERIES_OF_A_FILE = 3;
  private static final int OUT_OF_MEMORY = 2;
  private static final long SMALL_BYTES = 64 << 10;
  private static final List<String> MORE_QUERIES =
      List.of(
          ALL,
          "select a_long from %s where a_date is null and a_boolean",
          "select count(*), max(a_double), sum(a_decimal32) from %s where a_short <> 7",
          "select a_boolean, min(a_long), avg(a_short) from %s where an_int < 0 group by"
              + " a_boolean");
  private static final List<String> QUERIES =
      Stream.of(ChunkedTables.QUERIES, MORE_QUERIES).flatMap(List::stream).toList();

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private SparkSession spark;
  private ChunkedTables tables;

  @BeforeAll
  void start() {
    System.out.println("ChunkedDecodeTest seed " + seed);
    tables = new ChunkedTables(folder, random);
    spark = tables.spark();
  }

  @AfterAll
  void stop() {
    tables.close();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
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
    Dataset<Row> written = tables.flat(dictionary);
    String path = tables.write(written, codec, "v1", dictionary);
    assertChunked(tables.same(ALL, path, written), MANY_CHUNKS);
    for (int i = 0; i < QUERIES_OF_A_FILE; i++) {
      String query = QUERIES.get(random.nextInt(QUERIES.size()));
      assertChunked(tables.same(query, path, written), 2);
    }
  }

  @Test
  void pagesThatAreLeftOutAreLeftOutOfChunks() {
    Dataset<Row> written =
        spark
            .range(0, ChunkedTables.ROWS, 1, 1)
            .selectExpr("id", "if(id = 7, null, sha2(string(id), 256)) as text", "rand(5) as r");
    String path = tables.write(written, "snappy", "v1", false);
    Dataset<Row> ours =
        tables.same("select * from %s where id between 5100 and 9000", path, written);
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
    String path = tables.write(written, "snappy", "v1", false);
    // Pages of one row are left after the look.
    assertChunked(tables.same("select * from %s where key = 7919", path, written), 1);
  }

  @Test
  void rowsOfSeveralFilesKeepTheirFile() {
    Dataset<Row> written =
        spark
            .range(0, ChunkedTables.ROWS, 1, FILES)
            .selectExpr("id", "id % 2 as p", "sha2(string(id), 256) as text");
    String path = tables.write(written, "snappy", "v1", true, "p");
    String sql = "select id, p, text from %s where id %% 5 <> 2";
    assertChunked(tables.same(sql, path, written), 2 * FILES + 1);
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
        // The columns are wide enough for several tables.
        "select count(*), sum(an_int), max(a_string) from %s",
        "select count(*), max(a_string) from %s where an_int is null",
        "select a_byte, count(*), max(a_string) from %s group by a_byte"
      })
  void aUnitThatFailsHalfWayIsGivenOnceBySparksReader(String sql) {
    Dataset<Row> written = tables.flat(false);
    String path = tables.write(written, "snappy", "v1", false);
    try (LogCapture log = LogCapture.open()) {
      FaultJni.failNth(Point.DECODE, 2, OUT_OF_MEMORY);
      Dataset<Row> ours = tables.same(sql, path, written);
      assertThat(ScanResults.metric(ours, "chunksDecoded")).isPositive();
      assertThat(ScanResults.metric(ours, "cpuFiles")).isEqualTo(1);
      assertThat(ScanResults.metric(ours, "gpuFiles")).isZero();
      assertThat(log.messages(Level.ERROR)).isEmpty();
    }
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    await().until(() -> gpu.devices().areIdle());
    await().until(() -> PinnedPool.stats().bytesInUse() < SMALL_BYTES);
    assertChunked(tables.same(sql, path, written), 1);
  }
}
