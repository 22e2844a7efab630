package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mooring.cache.ChunkCache;
import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.Answers;
import io.mooring.testing.FaultyFileSystem;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scans that end before their files do leave nothing behind: no buffer, no permit, no stream. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class BrokenOffScanTest {
  private static final int ROWS = 400_000;
  private static final String GROUP = "broken-off";

  @TempDir static Path folder;
  private SparkSession spark;
  private Path table;
  private List<String> sparksRows = List.of();
  private long middle;

  @BeforeAll
  void start() throws IOException {
    Map<String, String> settings =
        Map.of(
            "spark.mooring.pinnedPool.size",
            "64m",
            "spark.mooring.scan.batchSize",
            "1m",
            FaultyFileSystem.SETTING,
            FaultyFileSystem.class.getName());
    spark = Sessions.withPlugin(4, settings);
    table = folder.resolve("table");
    spark
        .range(0, ROWS, 1, 4)
        .selectExpr("id", "hash(id) as h", "cast(hash(id, 1) as string) as text")
        .write()
        .option("parquet.block.size", 256 << 10)
        .parquet(table.toString());
    sparksRows = ScanResults.rows(read("parquet"));
    middle = Files.size(ScanResults.firstParquetFile(table)) / 2;
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> read(String format) {
    return spark
        .read()
        .schema("id bigint, h int, text string")
        .format(format)
        .load("faulty:" + table);
  }

  /** Has the next scan read its files. */
  @BeforeEach
  void clearCache() {
    ChunkCache.shared().clear();
  }

  @AfterEach
  void nothingIsLeftAndScansGoOn() {
    FaultyFileSystem.clear();
    assertNothingIsLeft();
    Dataset<Row> ours = read("mooring");
    assertThat(ours.schema()).isEqualTo(read("parquet").schema());
    assertThat(ScanResults.rows(ours)).isEqualTo(sparksRows);
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(spark.sparkContext().statusTracker().getActiveJobIds()).isEmpty();
              // libcudf keeps a few small blocks for the life of the process.
              assertThat(PinnedPool.stats().bytesInUse() >> 20).isZero();
              assertThat(FaultyFileSystem.openStreams()).isZero();
              assertThat(deviceIsIdle()).isTrue();
            });
  }

  private static boolean deviceIsIdle() {
    return GpuRuntime.current()
        .filter(GpuRuntime::usable)
        .map(gpu -> gpu.devices().areIdle())
        .orElse(true);
  }

  private void failInTheMiddle(AtomicInteger times) {
    FaultyFileSystem.set(
        (offset, bytes) -> {
          if (offset <= middle && middle < offset + bytes && times.getAndDecrement() > 0) {
            throw new IOException("A fault at byte " + middle);
          }
        });
  }

  @Test
  void aReadErrorInTheMiddleOfAFileIsSparksError() {
    failInTheMiddle(new AtomicInteger(Integer.MAX_VALUE));
    Throwable ours = catchThrowable(() -> read("mooring").collectAsList());
    Throwable sparks = catchThrowable(() -> read("parquet").collectAsList());
    assertThat(ours).isNotNull().hasSameClassAs(sparks).hasMessageContaining(".parquet");
    assertThat(Answers.root(ours))
        .hasSameClassAs(Answers.root(sparks))
        .hasMessage(Answers.root(sparks).getMessage());
  }

  @Test
  @RequiresGpu
  void aReadErrorThatPassesIsReadOverBySpark() {
    failInTheMiddle(new AtomicInteger(1));
    Dataset<Row> ours = read("mooring");
    assertThat(ScanResults.rows(ours)).hasSize(ROWS);
    assertThat(ScanResults.metric(ours, "cpuFiles")).isPositive();
    assertThat(ScanResults.metric(ours, "gpuFiles")).isPositive();
  }

  @Test
  void aCancelledScanStops() throws InterruptedException {
    CountDownLatch reading = new CountDownLatch(1);
    FaultyFileSystem.set(
        (offset, bytes) -> {
          reading.countDown();
          sleep();
        });
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread job =
        new Thread(
            () -> {
              spark.sparkContext().setJobGroup(GROUP, "to be cancelled", true);
              outcome.complete(catchThrowable(() -> read("mooring").collectAsList()));
            });
    job.start();
    reading.await();
    await().until(() -> spark.sparkContext().statusTracker().getJobIdsForGroup(GROUP).length > 0);
    spark.sparkContext().cancelJobGroup(GROUP);
    assertThat(outcome.join()).isNotNull().hasMessageContaining("cancelled");
    job.join();
  }

  private static void sleep() throws InterruptedIOException {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("The read was interrupted");
    }
  }

  @Test
  void aScanOfWhichAFewRowsAreWantedStopsEarly() {
    Dataset<Row> few = read("mooring").where("h > 0").limit(5);
    assertThat(few.collectAsList()).hasSize(5);
    Dataset<Row> first = read("mooring").limit(3);
    assertThat(first.collectAsList()).hasSize(3);
  }
}
