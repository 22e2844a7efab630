package io.mooring.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.prune.PruningFilters;
import io.mooring.scan.split.FileSplit;
import io.mooring.session.ReadSettings;
import io.mooring.testing.HostileFooters;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Footers that lie to do harm: planning such a file ends, with a plan that keeps to the file or
 * with the reason why it is Spark's, and takes memory only as the file's own size warrants. {@code
 * mooring.test.footers} sets how many are random, {@code mooring.test.seed} repeats a run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class HostileFooterTest {
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int FILES = Integer.getInteger("mooring.test.footers", 500);
  private static final StructType SCHEMA = StructType.fromDDL("id bigint, k int, text string");
  // What a parsed footer takes is this many times its bytes, at most, and planning has a base.
  private static final long GROWTH = 150;
  private static final long BASE_BYTES = 4L << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir static Path folder;
  private SparkSession spark;
  private HostileFooters hostile;
  private FilePlanner planner;
  private int files;

  @BeforeAll
  void start() throws Exception {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "0"));
    String table = folder.resolve("good").toString();
    spark
        .range(0, 2000, 1, 1)
        .selectExpr("id", "cast(id % 5 as int) as k", "concat('text ', id % 7) as text")
        .write()
        .option("parquet.block.row.count.limit", 100)
        .parquet(table);
    hostile = new HostileFooters(Files.readAllBytes(ScanResults.firstParquetFile(Path.of(table))));
    ReadSettings settings = ReadSettings.of(spark, Map.of());
    PruningFilters filters =
        PruningFilters.of(spark.sessionState().conf(), List.of(new EqualTo("k", 3)));
    planner = new FilePlanner(new FileSchema(SCHEMA, ""), settings, filters, new Configuration());
    // Loads the classes, which would be counted as the first file's.
    assertThat(planned(hostile.withFooter(HostileFooters.written(hostile.parsed())))).isEqualTo("");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private FileSplit split(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("hostile" + files++), bytes);
    String path = file.toUri().toString();
    long length = bytes.length;
    // A file that seems to have changed is not looked into.
    long time = Files.getLastModifiedTime(file).toMillis();
    return new FileSplit(
        new ParquetFile(path, length, time), path, 0, length, InternalRow.empty(), new String[0]);
  }

  /** Why a file is Spark's; empty for one that was planned. */
  private String planned(byte[] bytes) throws IOException {
    FileSplit split = split(bytes);
    try {
      planner.plan(split).units().forEach(unit -> assertWithin(unit, bytes.length));
      return "";
    } catch (UnreadableOnGpuException e) {
      return e.getMessage();
    } finally {
      Files.delete(Path.of(URI.create(split.path())));
    }
  }

  private static void assertWithin(ReadUnit unit, long fileBytes) {
    assertThat(unit.encodedBytes()).isBetween(0L, fileBytes);
    assertThat(unit.rows()).isBetween(0L, (long) Integer.MAX_VALUE);
    assertThat(unit.decodedBytes()).isNotNegative();
    for (FileRange range : unit.ranges()) {
      assertThat(range.offset() + range.length()).isBetween(0L, fileBytes);
    }
  }

  private String assertBounded(String what, byte[] bytes) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    String reason = planned(bytes);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).as(what).isLessThan(BASE_BYTES + GROWTH * bytes.length);
    return reason;
  }

  @Test
  @Timeout(600)
  void anyHostileFooterIsPlannedWithinTheFileOrRefused() throws IOException {
    System.out.println("HostileFooterTest seed " + SEED);
    int refused = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = hostile.any(new Random(SEED + i));
      refused += assertBounded("seed " + (SEED + i), bytes).isEmpty() ? 0 : 1;
    }
    assertThat(refused).isBetween(FILES / 4, FILES);
  }

  @ParameterizedTest
  @CsvSource({
    "2147483647, 20, 5",
    "20, 2147483647, 5",
    "20, 20, 2147483647",
    "-1, 20, 5",
    "20, -1, 5",
    "20, 20, -1"
  })
  void aDictionaryThatLiesIsNotLookedAt(int compressed, int uncompressed, int values)
      throws IOException {
    byte[] bytes = hostile.withDictionaries(compressed, uncompressed, values);
    assertThat(assertBounded("dictionary", bytes)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {100 << 20, Integer.MAX_VALUE, -1})
  void aBloomFilterThatLiesIsNotLookedAt(int size) throws IOException {
    assertThat(assertBounded("Bloom filter", hostile.withBloomFilters(size))).isEmpty();
  }
}
