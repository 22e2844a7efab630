package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.scan.split.FileSplit;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Request;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scans of tables in S3 and of local ones, with the cache as it is by default. */
@Tag("stores")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3CachedScanTest {
  private static final int FILES = 4;
  private static final int ROWS = 100_000;
  private static final long VALUES = FILES * (long) ROWS;

  @TempDir static Path folder;
  private S3Server server;
  private SparkSession spark;
  private Path local;

  @BeforeAll
  void start() throws Exception {
    server = new S3Server();
    Map<String, String> settings = server.sparkSettings();
    settings.put("spark.mooring.pinnedPool.size", "256m");
    settings.put("spark.mooring.sql.pushdown", "always");
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    local = write("table", 0);
  }

  /** Plain values without dictionaries: files of the same length, whatever the first value. */
  private Path write(String name, long first) {
    Path table = folder.resolve(name);
    spark
        .range(first, first + VALUES, 1, FILES)
        .selectExpr("id", "id * 7 as v")
        .write()
        .option("compression", "none")
        .option("parquet.enable.dictionary", "false")
        // A checksum takes more or fewer bytes of a page header.
        .option("parquet.page.write-checksum.enabled", "false")
        .parquet(table.toString());
    return table;
  }

  @AfterAll
  void stop() throws Exception {
    spark.stop();
    FileSystem.closeAll();
    server.close();
  }

  private Dataset<Row> scan(String table) {
    return spark.read().parquet(table).selectExpr("sum(v)");
  }

  private static long sum(Dataset<Row> scan) {
    return scan.collectAsList().get(0).getLong(0);
  }

  private static long sumFrom(long first) {
    return 7 * (VALUES * first + VALUES * (VALUES - 1) / 2);
  }

  private void awaitSettled(String table) throws IOException {
    Configuration conf = spark.sessionState().newHadoopConf();
    for (FileSplit split : PlannedScan.splits(spark.read().parquet(table))) {
      await().until(() -> FileState.beforeReading(split.file(), conf).isSettled());
    }
  }

  /** Spark 3.5 does not hand the e-tags of S3A's listings on. */
  @Test
  void splitsHaveTheETagsOfTheListing() throws Exception {
    String table = server.put(local, "tagged");
    List<ParquetFile> before = files(table);
    assertThat(before).hasSize(FILES);
    if (spark.version().startsWith("3.")) {
      return;
    }
    assertThat(before).allSatisfy(file -> assertThat(file.eTag()).isNotBlank());
    server.put(local, "tagged");
    assertThat(files(table)).extracting(ParquetFile::eTag).isEqualTo(tags(before));
    byte[] other = Files.readAllBytes(ScanResults.firstParquetFile(local));
    other[other.length / 2]++;
    String name = ScanResults.firstParquetFile(local).getFileName().toString();
    server.put("tagged/" + name, other);
    assertThat(files(table)).extracting(ParquetFile::eTag).isNotEqualTo(tags(before));
  }

  private List<ParquetFile> files(String table) {
    return PlannedScan.splits(spark.read().parquet(table)).stream()
        .map(FileSplit::file)
        .distinct()
        .sorted((a, b) -> a.path().compareTo(b.path()))
        .toList();
  }

  private static List<String> tags(List<ParquetFile> files) {
    return files.stream().map(ParquetFile::eTag).toList();
  }

  @Test
  @RequiresGpu
  void aSecondScanTakesNoBytesFromTheStore() throws Exception {
    String table = server.put(local, "cached");
    awaitSettled(table);
    assertThat(sum(scan(table))).isEqualTo(sumFrom(0));
    Dataset<Row> second = scan(table);
    server.front().takeRequests();
    assertThat(sum(second)).isEqualTo(sumFrom(0));
    assertThat(server.front().takeRequests())
        .filteredOn(request -> request.path().endsWith(".parquet"))
        .extracting(Request::method)
        .containsOnly("HEAD")
        .hasSize(FILES);
    assertThat(ScanResults.metric(second, "bytesRead")).isZero();
    assertThat(ScanResults.metric(second, "cacheMisses")).isZero();
    assertThat(ScanResults.metric(second, "cachedBytes")).isGreaterThan(8 * VALUES);
    assertThat(ScanResults.metric(second, "cpuFiles")).isZero();
  }

  @Test
  @RequiresGpu
  void aRewriteOfTheSameLengthIsReadAgain() throws Exception {
    String table = server.put(local, "rewritten");
    awaitSettled(table);
    sum(scan(table));
    assertThat(sum(scan(table))).isEqualTo(sumFrom(0));
    for (int round = 1; round <= 3; round++) {
      Path other = write("other" + round, round * VALUES);
      List<Path> from = parquetFiles(other);
      List<Path> to = parquetFiles(local);
      for (int i = 0; i < FILES; i++) {
        server.put("rewritten/" + to.get(i).getFileName(), Files.readAllBytes(from.get(i)));
      }
      assertThat(sum(scan(table))).isEqualTo(sumFrom(round * VALUES));
      awaitSettled(table);
      sum(scan(table));
      Dataset<Row> cached = scan(table);
      assertThat(sum(cached)).isEqualTo(sumFrom(round * VALUES));
      assertThat(ScanResults.metric(cached, "bytesRead")).isZero();
    }
  }

  private static List<Path> parquetFiles(Path table) throws IOException {
    try (var files = Files.list(table)) {
      return files.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    }
  }

  @Test
  @RequiresGpu
  void localFilesAreNotCached() throws Exception {
    awaitSettled(local.toString());
    for (int i = 0; i < 2; i++) {
      Dataset<Row> scan = scan(local.toString());
      assertThat(sum(scan)).isEqualTo(sumFrom(0));
      assertThat(ScanResults.metric(scan, "bytesRead")).isPositive();
    }
  }
}
