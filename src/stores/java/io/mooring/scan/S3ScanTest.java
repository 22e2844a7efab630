package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.cache.ChunkCache;
import io.mooring.datasource.PlannedScan;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.plan.FilePlanPrefetch;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Fault;
import io.mooring.stores.StoreFront.Request;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scans of tables in S3 against Spark's own reader, with a store that answers and one that fails.
 */
@Tag("stores")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3ScanTest {
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int FILES = 18;
  private static final int SCANS = Integer.getInteger("mooring.test.storeQueries", 2);
  private static final long MIB = 1 << 20;

  @TempDir static Path folder;
  private S3Server server;
  private SparkSession spark;
  private String table;

  @BeforeAll
  void start() throws Exception {
    System.out.println("S3ScanTest seed " + SEED);
    server = new S3Server();
    Map<String, String> settings = server.sparkSettings();
    settings.put("spark.mooring.pinnedPool.size", "256m");
    // Spark's reader does not read again what breaks off in a vectored read.
    settings.put("spark.hadoop.parquet.hadoop.vectored.io.enabled", "false");
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    String local = folder.resolve("table").toString();
    spark
        .createDataFrame(new RandomTables(SEED).rows(6_000), RandomTables.ALL_TYPES)
        .selectExpr("*", "a_byte % 3 as part", "struct(an_int, a_string) as nested")
        .repartition(FILES / 3)
        .write()
        .partitionBy("part")
        .parquet(local);
    table = server.put(Path.of(local), "table");
  }

  /** Has the next scan ask the store for bytes. */
  @BeforeEach
  void clearCache() {
    ChunkCache.shared().clear();
  }

  @AfterEach
  void mend() {
    server.front().mend();
  }

  @AfterAll
  void stop() throws Exception {
    spark.stop();
    FileSystem.closeAll();
    server.close();
  }

  private Dataset<Row> query(String sql) {
    return spark.sql(sql.formatted("parquet.`" + table + "`"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from %s",
        "select a_string, a_decimal128, part, input_file_name() from %s",
        "select * from %s where an_int > 0",
        "select nested.a_string, a_binary from %s where a_byte = 5 and part = 2",
        "select count(*) from %s",
        "select count(*), sum(a_short), max(a_string), min(a_timestamp) from %s",
        "select part, count(*), sum(an_int), max(a_date) from %s group by part",
      })
  void rowsAreSparks(String sql) {
    WithAndWithout.run(spark, () -> query(sql)).assertOurs();
  }

  @Test
  @RequiresGpu
  void filesAreDecodedOnTheGpuAndTheirRequestsCounted() {
    Dataset<Row> rows = query("select * from %s");
    rows.collectAsList();
    assertThat(ScanResults.metric(rows, "gpuFiles")).isPositive();
    assertThat(ScanResults.metric(rows, "cpuFiles")).isZero();
    assertThat(ScanResults.metric(rows, "requests")).isPositive();
    assertThat(ScanResults.metric(rows, "bytesRequested"))
        .isGreaterThanOrEqualTo(ScanResults.metric(rows, "bytesNeeded"));
  }

  @ParameterizedTest
  @ValueSource(ints = {25, 6})
  void aStoreThatFailsNowAndThenChangesNothing(int oneIn) {
    long before = PinnedPool.stats().bytesInUse();
    List<String> expected = ScanResults.rows(query("select * from %s"));
    Random random = new Random(SEED);
    server.front().breakOneIn(oneIn, random);
    for (int i = 0; i < SCANS; i++) {
      clearCache();
      assertThat(ScanResults.rows(query("select * from %s"))).isEqualTo(expected);
    }
    await()
        .untilAsserted(() -> assertThat(PinnedPool.stats().bytesInUse()).isLessThan(before + MIB));
  }

  /** Spark does not interrupt threads here, and every response stops half way. */
  @ParameterizedTest
  @EnumSource(names = {"STUCK", "TRICKLE"})
  @RequiresGpu
  void aCancelledQueryEndsAtOnceAndHoldsNothing(Fault fault) throws Exception {
    Dataset<Row> query = query("select * from %s");
    List<String> expected = ScanResults.rows(query);
    clearCache();
    long before = PinnedPool.stats().bytesInUse();
    server.front().takeRequests();
    server.front().breakThose(request -> request.method().equals("GET") ? fault : Fault.NONE);
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread caller = new Thread(() -> failure.complete(failureOfGroup("cancelled", query)));
    caller.start();
    await().until(() -> server.front().takeRequests().stream().anyMatch(S3ScanTest::isGet));
    spark.sparkContext().cancelJobGroup("cancelled");
    assertThat(failure.get(10, TimeUnit.SECONDS)).hasMessageContaining("cancelled");
    await().atMost(10, TimeUnit.SECONDS).until(() -> tasksRunning() == 0);
    server.front().mend();
    await()
        .untilAsserted(() -> assertThat(PinnedPool.stats().bytesInUse()).isLessThan(before + MIB));
    assertThat(ScanResults.rows(query("select * from %s"))).isEqualTo(expected);
  }

  private Throwable failureOfGroup(String group, Dataset<Row> query) {
    spark.sparkContext().setJobGroup(group, "a query that is cancelled", false);
    try {
      query.collectAsList();
      return new AssertionError("it was not cancelled");
    } catch (Exception e) {
      return e;
    }
  }

  private int tasksRunning() {
    int running = 0;
    for (var executor : spark.sparkContext().statusTracker().getExecutorInfos()) {
      running += executor.numRunningTasks();
    }
    return running;
  }

  private static boolean isGet(Request request) {
    return request.method().equals("GET");
  }

  /** No footer is answered before all have been asked for. */
  @Test
  void theFootersOfATaskAreAskedForAtATimeAndOnceEach() throws Exception {
    String copy = server.put(folder.resolve("table"), "copy");
    Dataset<Row> query = spark.sql("select * from parquet.`" + copy + "`");
    ScanContext context = PlannedScan.context(query);
    // For more, Hadoop 3.3's client has no connections by default.
    List<FileSplit> splits = PlannedScan.splits(query).stream().limit(32).toList();
    long files = splits.stream().map(FileSplit::path).distinct().count();
    assertThat(files).isGreaterThan(16);
    server.front().answerTogether((int) files);
    server.front().takeRequests();
    ScanCounters counters = new ScanCounters();
    FilePlanPrefetch plans =
        new FilePlanPrefetch(
            PlannedScan.planner(context, counters), splits, context.configuration());
    for (FileSplit split : splits) {
      assertThat(plans.of(split).rows()).isPositive();
    }
    List<Request> requests = server.front().takeRequests();
    assertThat(requests).filteredOn(S3ScanTest::isGet).hasSize((int) files);
    assertThat(requests).hasSize((int) (S3Server.isOpenedWithoutRequest() ? files : 2 * files));
    assertThat(counters.value(Counter.REQUESTS)).isEqualTo(files);
    splits.forEach(split -> IdleStreams.close(split.file()));
  }
}
