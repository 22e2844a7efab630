package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mooring.cache.ChunkCache;
import io.mooring.datasource.PlannedScan;
import io.mooring.memory.PinnedPool;
import io.mooring.scan.split.FileSplit;
import io.mooring.stores.HdfsCluster;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans of tables in HDFS against Spark's own reader, also while data nodes come and go. */
@Tag("stores")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HdfsScanTest {
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int SCANS = Integer.getInteger("mooring.test.storeQueries", 2);
  private static final long MIB = 1 << 20;

  @TempDir static Path folder;
  private HdfsCluster hdfs;
  private SparkSession spark;
  private String table;

  @BeforeAll
  void start() throws Exception {
    System.out.println("HdfsScanTest seed " + SEED);
    hdfs = new HdfsCluster(folder.resolve("hdfs"));
    Map<String, String> settings = hdfs.sparkSettings();
    settings.put("spark.mooring.pinnedPool.size", "256m");
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    table = hdfs.address() + "/table";
    spark
        .createDataFrame(new RandomTables(SEED).rows(6_000), RandomTables.ALL_TYPES)
        .selectExpr("*", "a_byte % 3 as part", "struct(an_int, a_string) as nested")
        .repartition(4)
        .write()
        .partitionBy("part")
        .parquet(table);
  }

  /** Has the next scan ask data nodes for bytes. */
  @BeforeEach
  void clearCache() {
    ChunkCache.shared().clear();
  }

  @AfterAll
  void stop() throws Exception {
    spark.stop();
    hdfs.close();
  }

  private Dataset<Row> query(String sql) {
    return spark.sql(sql.formatted("parquet.`" + table + "`"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from %s",
        "select a_string, a_decimal128, part, input_file_name() from %s",
        "select nested.a_string, a_binary from %s where a_byte = 5 and part = 2",
        "select count(*), sum(a_short), max(a_string), min(a_timestamp) from %s",
        "select part, count(*), sum(an_int), max(a_date) from %s group by part",
      })
  void rowsAreSparks(String sql) {
    WithAndWithout.run(spark, () -> query(sql)).assertOurs();
  }

  @Test
  @RequiresGpu
  void filesAreDecodedOnTheGpu() {
    Dataset<Row> rows = query("select * from %s");
    rows.collectAsList();
    assertThat(ScanResults.metric(rows, "gpuFiles")).isPositive();
    assertThat(ScanResults.metric(rows, "cpuFiles")).isZero();
  }

  /** A client that knows the dead node as a place of blocks asks another one. */
  @Test
  void dataNodesThatComeAndGoChangeNothing() throws Exception {
    long before = PinnedPool.stats().bytesInUse();
    List<String> expected = ScanResults.rows(query("select * from %s"));
    Random random = new Random(SEED);
    for (int i = 0; i < SCANS; i++) {
      clearCache();
      var scan = CompletableFuture.supplyAsync(() -> ScanResults.rows(query("select * from %s")));
      Thread.sleep(random.nextInt(200));
      var stopped = hdfs.stopDataNode(random.nextInt(HdfsCluster.HOSTS.length));
      try {
        assertThat(scan.get()).isEqualTo(expected);
        clearCache();
        assertThat(ScanResults.rows(query("select * from %s"))).isEqualTo(expected);
      } finally {
        hdfs.restart(stopped);
      }
    }
    await()
        .untilAsserted(() -> assertThat(PinnedPool.stats().bytesInUse()).isLessThan(before + MIB));
  }

  @Test
  void aFileThatIsDeletedAfterTheListingIsSparksError() throws Exception {
    String copy = hdfs.address() + "/copy";
    spark.range(1000).repartition(2).write().parquet(copy);
    Dataset<Row> ours = spark.read().parquet(copy);
    Dataset<Row> sparks =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> planned(spark.read().parquet(copy)));
    planned(ours);
    var first =
        Arrays.stream(hdfs.fs().listStatus(new org.apache.hadoop.fs.Path(copy)))
            .filter(file -> file.getPath().getName().endsWith(".parquet"))
            .findFirst()
            .orElseThrow();
    hdfs.fs().delete(first.getPath(), false);
    Throwable expected = catchThrowable(sparks::collectAsList);
    assertThat(expected).isNotNull();
    assertThat(catchThrowable(ours::collectAsList))
        .hasSameClassAs(expected)
        .hasStackTraceContaining(first.getPath().getName());
  }

  private static Dataset<Row> planned(Dataset<Row> query) {
    query.queryExecution().executedPlan();
    return query;
  }

  /** Tasks are sent where the blocks of their part of a file are, not where the file begins. */
  @Test
  void splitsNameTheHostsOfTheirBlocks() throws Exception {
    String large = hdfs.address() + "/large";
    spark
        .range(0, 1_500_000, 1, 1)
        .selectExpr("id", "hash(id) as h")
        .write()
        .option("parquet.block.size", HdfsCluster.BLOCK_BYTES)
        .parquet(large);
    Set<Set<String>> places = new HashSet<>();
    Sessions.with(
        spark,
        "spark.sql.files.maxPartitionBytes",
        String.valueOf(HdfsCluster.BLOCK_BYTES),
        () -> {
          List<FileSplit> splits = PlannedScan.splits(spark.read().parquet(large));
          assertThat(splits).hasSizeGreaterThan(3);
          for (FileSplit split : splits) {
            assertThat(split.hosts()).containsExactlyInAnyOrder(hosts(split));
            places.add(Set.of(split.hosts()));
          }
          return null;
        });
    assertThat(places).as("blocks are not all in the same places").hasSizeGreaterThan(1);
  }

  private String[] hosts(FileSplit split) {
    try {
      BlockLocation[] blocks =
          hdfs.fs().getFileBlockLocations(split.file().hadoopPath(), split.start(), split.length());
      return blocks[0].getHosts();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
