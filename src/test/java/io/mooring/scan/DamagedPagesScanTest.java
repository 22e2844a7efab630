package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.PinnedPool;
import io.mooring.metrics.FileFallbacks;
import io.mooring.metrics.FileFallbacks.FileFallback;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.logging.log4j.Level;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files with damaged pages are Spark's to read; the GPU reads those beside them, and lives. */
@RequiresGpu
@Timeout(300)
class DamagedPagesScanTest {
  private static final int ROWS = 40_000;
  private static final int FILES = 4;
  private static final String REASON = "1 page does not fit its checksum";

  @TempDir Path folder;
  private SparkSession spark;
  private Path table;

  private void start(String checks) {
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                // Reports would take the reasons.
                "spark.mooring.ui.reportInterval", "0",
                "spark.mooring.scan.verifyPages", checks,
                "spark.mooring.sql.pushdown", "always"));
    table = folder.resolve("table");
    spark
        .range(0, ROWS, 1, FILES)
        .selectExpr("id", "hash(id) as h", "cast(hash(id, 1) as string) as text")
        .write()
        .option("compression", "none")
        .option("parquet.enable.dictionary", "false")
        .option("parquet.page.row.count.limit", 500)
        .parquet(table.toString());
    FileFallbacks.take();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  /** Turns a bit of some page of the first file's column {@code h}. */
  private void flip(boolean inHeader) throws Exception {
    Path file = ScanResults.firstParquetFile(table);
    var input =
        HadoopInputFile.fromPath(
            new org.apache.hadoop.fs.Path(file.toUri()), new Configuration(false));
    byte[] bytes = Files.readAllBytes(file);
    try (ParquetFileReader reader = ParquetFileReader.open(input)) {
      var chunk = reader.getFooter().getBlocks().get(0).getColumns().get(1);
      OffsetIndex pages = reader.readOffsetIndex(chunk);
      int page = pages.getPageCount() / 2;
      long at = pages.getOffset(page) + (inHeader ? 0 : pages.getCompressedPageSize(page) / 2);
      bytes[(int) at] ^= 4;
    }
    Files.write(file, bytes);
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
  }

  private Dataset<Row> read(String format) {
    return spark
        .read()
        .schema("id bigint, h int, text string")
        .format(format)
        .load(table.toString());
  }

  private static void assertNothingIsLeft() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              // libcudf keeps a few small blocks for the life of the process.
              assertThat(PinnedPool.stats().bytesInUse() >> 20).isZero();
              assertThat(GpuRuntime.current().orElseThrow().devices().areIdle()).isTrue();
            });
  }

  @Test
  void aFileWithAFlippedByteIsSparksAndTheReasonIsToldOnce() throws Exception {
    start("checksums");
    flip(false);
    try (LogCapture log = LogCapture.open()) {
      for (int i = 0; i < 2; i++) {
        Dataset<Row> ours = read("mooring");
        ScanResults.assertSame(ours, read("parquet"));
        assertThat(ScanResults.metric(ours, "cpuFiles")).isOne();
        assertThat(ScanResults.metric(ours, "gpuFiles")).isEqualTo(FILES - 1L);
        assertThat(ScanResults.metric(ours, "verifyNanos")).isPositive();
      }
      List<String> warnings = log.messages(Level.WARN);
      assertThat(warnings.stream().filter(line -> line.contains(REASON))).hasSizeLessThan(2);
      assertThat(warnings.stream().filter(line -> !line.contains(REASON))).isEmpty();
    }
    assertThat(FileFallbacks.take()).extracting(FileFallback::reason).containsOnly(REASON);
    assertNothingIsLeft();
  }

  @Test
  void whatFiltersAndAggregatesGiveIsSparks() throws Exception {
    start("checksums");
    flip(false);
    String query = "select count(*), sum(h), min(text) from %s where h > 0";
    Dataset<Row> ours = spark.sql(query.formatted("mooring.`" + table + "`"));
    ScanResults.assertSame(ours, spark.sql(query.formatted("parquet.`" + table + "`")));
    assertThat(ScanResults.metric(ours, "cpuFiles")).isPositive();
    assertThat(ScanResults.metric(ours, "gpuFiles")).isPositive();
    assertNothingIsLeft();
  }

  @Test
  void aDamagedHeaderIsSparksError() throws Exception {
    start("checksums");
    flip(true);
    Throwable sparks = catchThrowable(() -> read("parquet").collectAsList());
    Throwable ours = catchThrowable(() -> read("mooring").collectAsList());
    assertThat(sparks).isNotNull();
    assertThat(ours).isNotNull().hasSameClassAs(sparks);
    assertThat(FileFallbacks.take())
        .extracting(FileFallback::reason)
        .containsOnly("a page header makes no sense");
    assertNothingIsLeft();
    assertThat(spark.range(5).count()).isEqualTo(5);
  }

  /** A value that nobody wrote is a value: this is what the setting leaves unseen. */
  @Test
  void withoutChecksumsTheGpuReadsWhatItFinds() throws Exception {
    start("structure");
    flip(false);
    Dataset<Row> ours = read("mooring");
    ScanResults.assertSame(ours, read("parquet"));
    ScanResults.assertReadByGpuAlone(ours);
    assertNothingIsLeft();
  }
}
