package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row group for which device memory does not suffice at once. */
@Tag("forked-gpu")
@RequiresGpu
class ChunkedRetryTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final String SAID =
      "Device memory did not suffice for a row group of %s: it is decoded in chunks";

  @TempDir Path folder;
  private SparkSession spark;

  @BeforeEach
  void start() {
    spark =
        Sessions.withPlugin(
            1,
            Map.of("spark.mooring.pinnedPool.size", "64m", "spark.mooring.sql.pushdown", "always"));
  }

  /** One row group. */
  private String write(String table, String version, String... columns) {
    String path = folder.resolve(table).toString();
    spark
        .range(0, 10_000, 1, 1)
        .selectExpr(columns)
        .write()
        .option("compression", "zstd")
        .option("parquet.writer.version", version)
        .option("parquet.enable.dictionary", "false")
        .parquet(path);
    return path;
  }

  @AfterEach
  void stop() {
    FaultJni.clear();
    spark.stop();
  }

  private Dataset<Row> same(String path) {
    String sql = "select * from %s.`%s` where id %% 3 <> 1";
    Dataset<Row> ours = spark.sql(sql.formatted("mooring", path));
    ScanResults.assertSame(ours, spark.sql(sql.formatted("parquet", path)));
    return ours;
  }

  @Test
  void itIsDecodedInChunksAndOnlyThenBySparksReader() {
    try (LogCapture log = LogCapture.open()) {
      assertChunkedThenLeft(write("flat", "v1", "id", "sha2(string(id), 256) as text"));
      assertSaidOnce(log);
      String[] columns = {
        "id",
        "sha2(string(id), 256) as text",
        "array(string(id), null) as texts",
        "map(id, struct(id div 2 as half)) as halves"
      };
      assertChunkedThenLeft(write("lists", "v1", columns));
      assertChunkedThenLeft(write("deltas-zstd-v2", "v2", "id", "array(id, -id, null) as many"));
    }
  }

  private static void assertSaidOnce(LogCapture log) {
    assertThat(log.messages(Level.WARN).stream().filter(line -> line.contains("in chunks")))
        .singleElement()
        .asString()
        .matches(SAID.formatted(".*parquet.*"));
  }

  private void assertChunkedThenLeft(String path) {
    Dataset<Row> atOnce = same(path);
    assertThat(ScanResults.metric(atOnce, "chunksDecoded")).isZero();
    FaultJni.failNth(Point.DECODE, 1, OUT_OF_MEMORY);
    Dataset<Row> chunked = same(path);
    assertThat(ScanResults.metric(chunked, "chunksDecoded")).isPositive();
    assertThat(ScanResults.metric(chunked, "gpuFiles")).isEqualTo(1);
    assertThat(ScanResults.metric(chunked, "cpuFiles")).isZero();
    FaultJni.failFrom(Point.DECODE, 1, OUT_OF_MEMORY);
    Dataset<Row> sparks = same(path);
    assertThat(ScanResults.metric(sparks, "gpuFiles")).isZero();
    assertThat(ScanResults.metric(sparks, "cpuFiles")).isEqualTo(1);
    FaultJni.clear();
  }
}
