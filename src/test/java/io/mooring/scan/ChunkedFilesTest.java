package io.mooring.scan;

import static io.mooring.scan.ChunkedTables.ALL;
import static io.mooring.scan.ChunkedTables.QUERIES;
import static io.mooring.scan.ChunkedTables.assertChunked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.GpuRuntime;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.RandomNested;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import java.nio.file.Path;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
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

/**
 * One row group that goes through host memory, as a file, to be decoded to dozens of tables: every
 * value is the one written.
 */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChunkedFilesTest {
  private static final int NESTED_ROWS = 6_000;
  // In version 2 in an encoding that is left to Spark's reader.
  private static final String FIXED_LENGTH = "a_decimal128";
  private static final int OUT_OF_MEMORY = 2;
  private static final long SMALL_BYTES = 64 << 10;

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private ChunkedTables tables;

  @BeforeAll
  void start() {
    System.out.println("ChunkedFilesTest seed " + seed);
    tables = new ChunkedTables(folder, random);
  }

  @AfterAll
  void stop() {
    tables.close();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  /** Zstd pages whose levels lie in front of what is compressed. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "zstd"})
  void valuesOfPagesOfVersion2AreThoseWritten(String codec) {
    Dataset<Row> written = tables.flat(true).drop(FIXED_LENGTH);
    String path = tables.write(written, codec, "v2", true);
    assertChunked(tables.same(ALL, path, written), 2);
    for (String query : QUERIES) {
      assertChunked(tables.same(query, path, written), 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "snappy", "zstd", "gzip"})
  void soAreThoseOfDeltas(String codec) {
    Dataset<Row> written =
        tables.numbered(
            "id",
            "if(id % 11 = 5, null, id * 7919) as big",
            "transform(sequence(0, id % 7), i -> if(i = 3, null, id * i)) as many",
            "struct(cast(id as int) as a, -id as b) as pair");
    String path = tables.write(written, codec, "v2", false);
    assertChunked(tables.same(ALL, path, written), 2);
    assertChunked(tables.same("select many, id from %s where big > 70000", path, written), 2);
    assertChunked(tables.same("select count(many), sum(big) from %s", path, written), 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "snappy", "gzip", "none"})
  void soAreThoseOfNestedColumns(String codec) {
    RandomNested nested = new RandomNested(random.nextLong());
    StructType schema = nested.schema(2, 3);
    Dataset<Row> written =
        tables.spark().createDataFrame(nested.rows(schema, NESTED_ROWS), schema).coalesce(1);
    String path = tables.write(written, codec, "v1", random.nextBoolean());
    assertChunked(tables.same(ALL, path, written), 2);
    assertChunked(tables.same("select * from %s where id > 0", path, written), 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "struct(id as a, sha2(string(id), 256) as b)",
        "transform(sequence(0, id % 7), i -> if(i = 3, null, sha2(string(id + i), 256)))",
        "transform(sequence(0, id % 30), i -> if(i = 3, null, (id + i) % 3 = 0))",
        "map(id, array(string(id), null), -id - 1, array('x'))",
        "array(struct(id as a, array(sha2(string(id), 256)) as b), null)"
      })
  void soAreThoseOfEveryShape(String shape) {
    Dataset<Row> written =
        tables.numbered("id", "if(id % 11 = 5, null, " + shape + ") as c", "string(id) as last");
    String path = tables.write(written, "snappy", "v1", false);
    assertChunked(tables.same(ALL, path, written), 2);
    assertChunked(tables.same("select last, c from %s where id %% 3 = 1", path, written), 2);
  }

  @Test
  void stringsInDeltasAreDecodedAtOnce() {
    Dataset<Row> written =
        tables.numbered(
            "id",
            "if(id div 1000 % 2 = 0, sha2(string(id), 256), null) as text",
            "if(id div 1000 % 2 = 0, array(string(id)), array(cast(null as string))) as texts");
    String path = tables.write(written, "gzip", "v2", false);
    Dataset<Row> ours = tables.same(ALL, path, written);
    assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
    assertThat(ScanResults.metric(ours, "chunksDecoded")).isZero();
    assertChunked(tables.same("select id from %s", path, written), 2);
  }

  @ParameterizedTest
  @CsvSource({"zstd, -id", "'snappy', 'array(string(id), null)'", "'zstd', 'map(id, string(id))'"})
  void pagesThatAreLeftOutAreLeftOut(String codec, String other) {
    Dataset<Row> written =
        tables.numbered(
            "id",
            "if(id = 7, null, sha2(string(id), 256)) as text",
            "rand(5) as r",
            other + " as other");
    String path = tables.write(written, codec, "v1", false);
    Dataset<Row> ours =
        tables.same("select * from %s where id between 5100 and 9000", path, written);
    assertChunked(ours, 2);
    assertThat(ScanResults.metric(ours, "pagesSkipped")).isPositive();
  }

  @Test
  void aUnitThatFailsHalfWayIsGivenOnceBySparksReader() {
    Dataset<Row> written =
        tables.numbered("id", "array(sha2(string(id), 256), null) as texts", "string(id) as last");
    String path = tables.write(written, "snappy", "v1", false);
    FaultJni.failNth(Point.DECODE, 2, OUT_OF_MEMORY);
    Dataset<Row> ours = tables.same(ALL, path, written);
    assertThat(ScanResults.metric(ours, "chunksDecoded")).isPositive();
    assertThat(ScanResults.metric(ours, "cpuFiles")).isEqualTo(1);
    assertThat(ScanResults.metric(ours, "gpuFiles")).isZero();
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    await().until(() -> gpu.devices().areIdle());
    await().until(() -> PinnedPool.stats().bytesInUse() < SMALL_BYTES);
    assertChunked(tables.same(ALL, path, written), 2);
  }
}
