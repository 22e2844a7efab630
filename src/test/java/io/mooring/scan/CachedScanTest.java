package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.source.FileState;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Scans of files that the cache has, or had before they changed; the only test of its process. */
@RequiresGpu
@Tag("forked-gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CachedScanTest {
  private static final int FILES = 6;
  private static final int ROWS = 200_000;
  private static final int SCANS = RandomCases.of("mooring.test.cachedScans", 150);

  /** The sum of a file that has lost its end. */
  private static final long TRUNCATED = -1;

  /** How a file changes; the first two can make one that is missing. */
  private static final List<String> HOW =
      List.of(
          "plain",
          "in place",
          "in place, with the time set back",
          "renamed, with the time set back",
          "truncated",
          "deleted");

  @TempDir static Path folder;
  private SparkSession spark;
  private Path spare;
  private Path table;
  private final long[] sums = new long[FILES];

  @BeforeAll
  void start() throws IOException {
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.cache.size", "192m",
                "spark.mooring.sql.parquet.enabled", "true",
                "spark.mooring.sql.pushdown", "always",
                "spark.mooring.pinnedPool.size", "256m"));
    spare = Files.createDirectory(folder.resolve("spare"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @BeforeEach
  void writeTable() throws IOException {
    table = Files.createTempDirectory(folder, "table");
    for (int i = 0; i < FILES; i++) {
      sums[i] = write(i, i + 1, "plain");
    }
  }

  private Path file(int i) {
    return table.resolve("part-" + i + ".parquet");
  }

  /** Writes a file whose bytes depend on the seed and whose length does not; returns its sum. */
  private long write(int i, long seed, String how) throws IOException {
    Path fresh = spare.resolve("part-" + seed + ".parquet");
    long first = 1_000_000 * seed;
    if (!Files.exists(fresh)) {
      Path written = Files.createTempDirectory(spare, "written");
      spark
          .range(first, first + ROWS, 1, 1)
          .selectExpr("id", "id * 7 as v")
          .write()
          .mode("overwrite")
          .option("compression", "none")
          .option("parquet.enable.dictionary", "false")
          // A checksum takes more or fewer bytes of a page header.
          .option("parquet.page.write-checksum.enabled", "false")
          .parquet(written.toString());
      Files.move(ScanResults.firstParquetFile(written), fresh);
    }
    FileTime before = Files.exists(file(i)) ? Files.getLastModifiedTime(file(i)) : null;
    switch (how) {
      case "in place" ->
          Files.write(
              file(i),
              Files.readAllBytes(fresh),
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE);
      case "in place, with the time set back" -> {
        Files.write(file(i), Files.readAllBytes(fresh), StandardOpenOption.WRITE);
        Files.setLastModifiedTime(file(i), before);
      }
      case "renamed, with the time set back" -> {
        Path copy = Files.copy(fresh, table.resolve("_copy"));
        Files.setLastModifiedTime(copy, before);
        Files.move(copy, file(i), StandardCopyOption.ATOMIC_MOVE);
      }
      default -> Files.copy(fresh, file(i), StandardCopyOption.REPLACE_EXISTING);
    }
    return LongStream.range(first, first + ROWS).map(id -> id * 7).sum();
  }

  private void awaitSettled() throws IOException {
    for (int i = 0; i < FILES; i++) {
      var file = ParquetFiles.at(file(i));
      await().until(() -> FileState.beforeReading(file, ParquetFiles.CONF).isSettled());
    }
  }

  private Dataset<Row> scan() {
    return spark.read().parquet(table.toString()).selectExpr("sum(v)");
  }

  private static long sum(Dataset<Row> scan) {
    return scan.collectAsList().get(0).getLong(0);
  }

  @Test
  void aSecondScanReadsNothing() throws IOException {
    awaitSettled();
    assertThat(sum(scan())).isEqualTo(LongStream.of(sums).sum());
    Dataset<Row> second = scan();
    assertThat(sum(second)).isEqualTo(LongStream.of(sums).sum());
    assertThat(ScanResults.metric(second, "bytesRead")).isZero();
    assertThat(ScanResults.metric(second, "cachedBytes")).isGreaterThan(FILES * ROWS * 8L);
    assertThat(ScanResults.metric(second, "cpuFiles")).isZero();
    Dataset<Row> other = spark.read().parquet(table.toString()).selectExpr("sum(id)", "max(v)");
    assertThat(other.collectAsList()).hasSize(1);
    assertThat(ScanResults.metric(other, "cachedBytes")).isPositive();
    assertThat(ScanResults.metric(other, "bytesRead")).isPositive();
  }

  @Test
  void twoSplitsOfAFileInATaskComeFromTheCache() {
    // Half of both is less than the first: it is cut in two, which then share a task.
    String[] files = {manyRowGroups("longer", 330_000), manyRowGroups("shorter", 300_000)};
    await()
        .untilAsserted(
            () -> {
              Dataset<Row> scan = spark.read().parquet(files).selectExpr("sum(id)");
              assertThat(sum(scan))
                  .isEqualTo(
                      LongStream.range(0, 330_000).sum() + LongStream.range(0, 300_000).sum());
              assertThat(ScanResults.metric(scan, "cpuFiles")).isZero();
              assertThat(ScanResults.metric(scan, "bytesRead")).isZero();
            });
  }

  private String manyRowGroups(String name, long rows) {
    String path = table.resolve(name).toString();
    spark
        .range(0, rows, 1, 1)
        .write()
        .option("compression", "none")
        .option("parquet.enable.dictionary", "false")
        .option("parquet.block.size", 1 << 18)
        .parquet(path);
    return path;
  }

  @Test
  void aFilterThatSkipsPagesFindsThemInTheCache() throws IOException {
    awaitSettled();
    String condition = "v between 7000100 and 7000800";
    Dataset<Row> first = spark.read().parquet(table.toString()).filter(condition);
    List<String> expected =
        LongStream.rangeClosed(1_000_015, 1_000_114)
            .mapToObj(id -> "[" + id + ", " + id * 7 + "]")
            .toList();
    assertThat(ScanResults.rows(first)).isEqualTo(expected);
    Dataset<Row> again = spark.read().parquet(table.toString()).filter(condition);
    assertThat(ScanResults.rows(again)).isEqualTo(expected);
    sum(scan());
    assertThat(ScanResults.rows(spark.read().parquet(table.toString()).filter(condition)))
        .isEqualTo(expected);
  }

  @Test
  void aRewrittenFileIsReadAgain() throws IOException {
    long seed = 100;
    for (String how : HOW.subList(0, 4)) {
      awaitSettled();
      sum(scan());
      assertThat(sum(scan())).isEqualTo(LongStream.of(sums).sum());
      long length = Files.size(file(2));
      sums[2] = write(2, seed++, how);
      assertThat(Files.size(file(2))).as("the same length").isEqualTo(length);
      assertThat(sum(scan())).as(how).isEqualTo(LongStream.of(sums).sum());
      assertThat(sum(scan())).as(how).isEqualTo(LongStream.of(sums).sum());
    }
  }

  @Test
  void aDeletedOrTruncatedFileFailsAsWithoutTheCache() throws IOException {
    awaitSettled();
    Dataset<Row> listed = spark.read().parquet(table.toString());
    sum(listed.selectExpr("sum(v)"));
    sum(listed.selectExpr("sum(v)"));
    byte[] bytes = Files.readAllBytes(file(0));
    Files.delete(file(0));
    assertThatThrownBy(() -> sum(listed.selectExpr("sum(v)")))
        .hasStackTraceContaining("part-0.parquet");
    Files.write(file(0), Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> sum(listed.selectExpr("sum(v)"))).isNotNull();
    Files.delete(file(0));
    assertThat(sum(scan())).isEqualTo(LongStream.of(sums).sum() - sums[0]);
  }

  @Test
  void manyScansBesideRewritesNeverGiveAStaleRow() throws Exception {
    Random random = new Random(7);
    long cached = 0;
    long next = System.nanoTime() + 4_000_000_000L;
    for (int i = 0; i < SCANS; i++) {
      if (System.nanoTime() > next) {
        change(random);
        // Sometimes another change before the first has settled, sometimes long after.
        next = System.nanoTime() + (random.nextBoolean() ? 500_000_000L : 4_000_000_000L);
      }
      if (truncated().isPresent()) {
        assertThatThrownBy(() -> sum(scan())).as("scan " + i).isNotNull();
      } else {
        Dataset<Row> scan = scan();
        assertThat(sum(scan)).as("scan " + i).isEqualTo(LongStream.of(sums).sum());
        cached += ScanResults.metric(scan, "cachedBytes");
      }
    }
    assertThat(cached).isPositive();
  }

  private OptionalInt truncated() {
    return IntStream.range(0, FILES).filter(i -> sums[i] == TRUNCATED).findFirst();
  }

  /** Writes, truncates or deletes a file: a truncated one at once, so that few scans fail. */
  private void change(Random random) throws IOException {
    int file = truncated().orElse(random.nextInt(FILES));
    boolean isWhole = sums[file] > 0;
    // The first file stays, or a table without any could not be read.
    String how = HOW.get(random.nextInt(!isWhole ? 2 : HOW.size() - (file == 0 ? 1 : 0)));
    switch (how) {
      case "truncated" -> {
        byte[] bytes = Files.readAllBytes(file(file));
        Files.write(file(file), Arrays.copyOf(bytes, bytes.length / 2));
        sums[file] = TRUNCATED;
      }
      case "deleted" -> {
        Files.delete(file(file));
        sums[file] = 0;
      }
        // A seed that was used before: the bytes of then come back, and others were there between.
      default -> sums[file] = write(file, 200 + random.nextInt(10), how);
    }
  }

  @Test
  void aScanBesideARewriteGivesOneStateOrTheOther() throws Exception {
    awaitSettled();
    sum(scan());
    for (int round = 0; round < 10; round++) {
      long before = LongStream.of(sums).sum();
      List<Long> seen = new ArrayList<>();
      Thread scans =
          new Thread(
              () -> {
                for (int i = 0; i < 5; i++) {
                  try {
                    seen.add(sum(scan()));
                  } catch (RuntimeException e) {
                    // The file was replaced after it was listed: Spark's reader may fail on that.
                  }
                }
              });
      scans.start();
      sums[1] = write(1, 300 + round, "renamed, with the time set back");
      scans.join();
      long after = LongStream.of(sums).sum();
      assertThat(seen).isSubsetOf(before, after);
      assertThat(sum(scan())).isEqualTo(after);
    }
  }

  @Test
  void filesJustWrittenAreNotCached() throws IOException {
    sum(scan());
    try (Stream<Path> files = Files.list(table)) {
      assertThat(files.count()).isEqualTo(FILES);
    }
    sums[0] = write(0, 400, "in place, with the time set back");
    assertThat(sum(scan())).isEqualTo(LongStream.of(sums).sum());
  }
}
