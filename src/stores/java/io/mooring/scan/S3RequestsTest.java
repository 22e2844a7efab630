package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.read.StoreReads;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FilePlanPrefetch;
import io.mooring.scan.plan.FilePlanner;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.prune.PruningHistory;
import io.mooring.scan.split.FileSplit;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Fault;
import io.mooring.stores.StoreFront.Request;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What scans of S3 cost: the bytes that are requested for a column, and the round trips before the
 * first bytes are there. Footers and data are read as by a scan, but not copied to a device.
 */
@Tag("stores")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3RequestsTest {
  private static final int COLUMNS = 10;
  private static final double MOST_OF_NEEDED = 1.1;
  private static final int FILES = 1000;
  private static final int TASKS = 16;
  private static final int ROW_GROUPS = 12;
  private static final Duration ROUND_TRIP = Duration.ofMillis(400);
  private static final int MOST_ROUND_TRIPS = 10;
  // The most that `auto` allows.
  private static final StoreReads READS = new StoreReads(64, 256 << 20);

  @TempDir static Path folder;
  private S3Server server;
  private SparkSession spark;

  @BeforeAll
  void start() throws Exception {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    server = new S3Server();
    Map<String, String> settings = server.sparkSettings();
    // Hadoop 3.3 has 96: too few to read so many footers in so few round trips.
    settings.put("spark.hadoop.fs.s3a.connection.maximum", "384");
    settings.put("spark.hadoop.fs.s3a.threads.max", "384");
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
  }

  @AfterAll
  void stop() throws Exception {
    spark.stop();
    FileSystem.closeAll();
    server.close();
  }

  @Test
  void aColumnOfTenCostsLittleMoreThanItsBytes() throws Exception {
    Path local = folder.resolve("wide");
    String[] columns =
        IntStream.range(0, COLUMNS)
            .mapToObj(i -> "hash(id, " + i + ") c" + i)
            .toArray(String[]::new);
    spark
        .range(0, 2_000_000, 1, 2)
        .selectExpr(columns)
        .write()
        .option("parquet.block.size", 16 << 20)
        .parquet(local.toString());
    String table = server.put(local, "wide");
    Dataset<Row> query = spark.sql("select c4 from parquet.`" + table + "`");
    ScanCounters counters = new ScanCounters();
    ScanContext context = PlannedScan.context(query);
    server.front().takeRequests();
    List<ReadUnit> units = units(context, PlannedScan.splits(query), counters);
    for (ReadUnit unit : units) {
      READS.read(unit, counters, context.configuration());
    }
    long requested =
        server.front().takeRequests().stream().mapToLong(S3RequestsTest::bytesOf).sum();
    long chunks = units.stream().mapToLong(ReadUnit::encodedBytes).sum();
    System.out.printf("a column of ten: %d bytes of chunks, %d requested%n", chunks, requested);
    assertThat(units.stream().mapToInt(unit -> unit.rowGroups().length).sum()).isGreaterThan(2);
    assertThat(requested).isEqualTo(counters.value(Counter.BYTES_REQUESTED));
    assertThat(requested).isBetween(chunks, (long) (MOST_OF_NEEDED * chunks));
  }

  private static long bytesOf(Request request) {
    if (!request.method().equals("GET")) {
      return 0;
    }
    String[] ends = request.range().replace("bytes=", "").split("-");
    return Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1;
  }

  /**
   * Sixteen tasks begin at the same time; each reads footers, then its files as one unit. Small
   * files are read whole with their footers, unless statistics have ruled out most files before.
   */
  @ParameterizedTest
  @CsvSource({"where id is not null, 1", "where id >= 0, 1", "where id >= 1, 2"})
  void theFirstFilesOfAThousandAreThereAfterFewRoundTrips(String filter, int requests)
      throws Exception {
    Path local = folder.resolve("one-" + filter.hashCode());
    spark.range(0, 5_000, 1, 1).selectExpr("id", "hash(id) h").write().parquet(local.toString());
    byte[] file = Files.readAllBytes(parquet(local));
    for (int i = 0; i < FILES; i++) {
      server.put("thousand/" + i + ".parquet", file);
    }
    String table = server.address() + "/thousand";
    Dataset<Row> query = spark.sql("select * from parquet.`" + table + "` " + filter);
    List<List<FileSplit>> tasks = PlannedScan.tasks(query);
    assertThat(tasks.stream().mapToInt(List::size).sum()).isEqualTo(FILES);
    ScanContext context = PlannedScan.context(query);
    for (int i = 0; requests > 1 && i < 10 * FILES; i++) {
      PruningHistory.shared().add(historyOf(context), true);
    }
    slow();
    ExecutorService executor = Executors.newFixedThreadPool(TASKS);
    try {
      long start = System.nanoTime();
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (List<FileSplit> task : tasks) {
        running.add(CompletableFuture.runAsync(() -> run(context, task, requests), executor));
      }
      CompletableFuture.anyOf(running.toArray(CompletableFuture[]::new)).join();
      double first = (System.nanoTime() - start) / (double) ROUND_TRIP.toNanos();
      running.forEach(CompletableFuture::join);
      double all = (System.nanoTime() - start) / (double) ROUND_TRIP.toNanos();
      System.out.printf(
          "%d files in %d tasks, %d requests each: first unit after %.1f round trips, all after"
              + " %.1f%n",
          FILES, tasks.size(), requests, first, all);
      assertThat(first).isLessThan(MOST_ROUND_TRIPS);
    } finally {
      executor.shutdownNow();
      server.front().mend();
    }
  }

  private static PruningHistory.Key historyOf(ScanContext context) {
    return PruningHistory.Key.of(context.pruning(), context.files().columns());
  }

  /** One file of which dictionaries, or Bloom filters, rule out every row group. */
  @ParameterizedTest
  @CsvSource({"d = 'd5x', 6", "b = 'ax', 6"})
  void theRowGroupsOfAFileAreRuledOutInFewRoundTrips(String condition, int mostTrips)
      throws Exception {
    Path local = folder.resolve("groups-" + condition.charAt(0));
    spark
        .range(0, ROW_GROUPS * 100L, 1, 1)
        .selectExpr(
            "concat('d', id % 10) d",
            "md5(string(id)) b",
            // The file is to be too large to be read whole.
            "array_join(transform(sequence(1, 150), i -> md5(id || ' ' || i)), '') p")
        .write()
        // The writer looks at the size of a row group after 100 rows.
        .option("parquet.block.size", 1000)
        .option("parquet.bloom.filter.enabled", true)
        .option("parquet.bloom.filter.max.bytes", 1024)
        .parquet(local.toString());
    String table = server.put(local, "groups-" + condition.charAt(0));
    Dataset<Row> query = spark.sql("select * from parquet.`" + table + "` where " + condition);
    ScanContext context = PlannedScan.context(query);
    List<FileSplit> splits = PlannedScan.splits(query);
    assertThat(splits.get(0).file().length()).isGreaterThan(2 << 20);
    server.front().takeRequests();
    slow();
    try {
      ScanCounters counters = new ScanCounters();
      long start = System.nanoTime();
      assertThat(units(context, splits, counters)).isEmpty();
      double trips = (System.nanoTime() - start) / (double) ROUND_TRIP.toNanos();
      int requests = server.front().takeRequests().size();
      System.out.printf("%s: %d requests in %.1f round trips%n", condition, requests, trips);
      assertThat(requests).isGreaterThan(ROW_GROUPS);
      assertThat(trips).isLessThan(mostTrips);
    } finally {
      server.front().mend();
    }
  }

  /** Has the store answer after a round trip. */
  private void slow() {
    server
        .front()
        .breakThose(
            request -> {
              sleep(ROUND_TRIP);
              return Fault.NONE;
            });
  }

  private static Path parquet(Path table) throws Exception {
    try (Stream<Path> files = Files.list(table)) {
      return files.filter(it -> it.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * @param requests that each file takes: one for its footer, and one for its data if that is not
   *     read with the footer
   */
  private static void run(ScanContext context, List<FileSplit> splits, int requests) {
    try {
      ScanCounters counters = new ScanCounters();
      ReadUnit all = CoalescedUnit.of(units(context, splits, counters));
      READS.read(all, counters, context.configuration());
      splits.forEach(split -> IdleStreams.close(split.file()));
      assertThat(counters.value(Counter.REQUESTS)).isEqualTo((long) requests * splits.size());
      assertThat(counters.value(Counter.REQUEST_TIME))
          .isGreaterThan((long) requests * splits.size() * ROUND_TRIP.toNanos());
      assertThat(counters.value(Counter.FIRST_BYTES))
          .isGreaterThan(requests * ROUND_TRIP.toNanos());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<ReadUnit> units(
      ScanContext context, List<FileSplit> splits, ScanCounters counters) throws Exception {
    FilePlanner planner = PlannedScan.planner(context, counters);
    FilePlanPrefetch plans = new FilePlanPrefetch(planner, splits, context.configuration());
    List<ReadUnit> units = new ArrayList<>();
    for (FileSplit split : splits) {
      FilePlan plan = plans.of(split);
      units.addAll(plan.units());
    }
    return units;
  }
}
