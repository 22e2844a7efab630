package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Fault;
import io.mooring.stores.StoreFront.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The threads that read from stores, with every page checked against its checksum: no byte is lost
 * or at a wrong place, whatever the store does to requests. Nothing is copied to a device.
 */
@Tag("stores")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3UploadTest {
  private static final long MIB = 1 << 20;
  private static final int FILES = 6;
  private static final int REQUESTS = 24;
  private static final int TASKS = 3;
  private static final long POOL_BYTES = 64 * MIB;
  private static final int SCANS = Integer.getInteger("mooring.test.storeScans", 1000);
  private static final int SCANS_AT_ONCE = 8;
  private static final int FILES_OF_A_ROUND = 50;
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

  @TempDir static Path folder;
  private S3Server server;
  private Configuration conf;
  private final List<ParquetFile> files = new ArrayList<>();
  private final ScanCounters counters = new ScanCounters();
  private final StoreReads reads = new StoreReads(REQUESTS, 64 * MIB);

  @BeforeAll
  void start() throws Exception {
    startPool();
    server = new S3Server();
    conf = server.configuration();
    Path table = folder.resolve("table");
    for (int i = 0; i < FILES; i++) {
      ParquetFiles.write(
          table.resolve(i + ".parquet"),
          100_000 + i,
          Long.MAX_VALUE,
          false,
          CompressionCodecName.UNCOMPRESSED);
    }
    files.addAll(listed(server.put(table, "table")));
  }

  /** So that what is held shows; another test of this process may have started it. */
  private static void startPool() {
    PinnedPool.start(
        new PoolSettings(
            POOL_BYTES,
            POOL_BYTES,
            POOL_BYTES,
            Duration.ofSeconds(60),
            2,
            /* device */ -1,
            List.of(),
            /* leaks */ false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(60))).isTrue();
  }

  private List<ParquetFile> listed(String folder) throws IOException {
    var path = new org.apache.hadoop.fs.Path(folder);
    List<ParquetFile> found = new ArrayList<>();
    for (FileStatus file : path.getFileSystem(conf).listStatus(path)) {
      found.add(ParquetFile.of(file));
    }
    return found;
  }

  @AfterAll
  void stop() throws Exception {
    FileSystem.closeAll();
    server.close();
  }

  @AfterEach
  void mend() {
    server.front().mend();
  }

  /** One request in so many is broken. */
  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, 20, 5})
  void everyByteComes(int oneIn) throws Exception {
    Random random = new Random(oneIn);
    server.front().breakOneIn(oneIn, random);
    long before = PinnedPool.stats().bytesInUse();
    long readBefore = counters.value(Counter.BYTES_READ);
    List<CompletableFuture<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(CompletableFuture.supplyAsync(this::readAll));
    }
    long bytes = tasks.stream().mapToLong(CompletableFuture::join).sum();
    assertThat(counters.value(Counter.BYTES_READ) - readBefore).isEqualTo(bytes);
    files.forEach(IdleStreams::close);
    await()
        .untilAsserted(() -> assertThat(PinnedPool.stats().bytesInUse()).isLessThan(before + MIB));
  }

  /**
   * Footers and data of files that are read for the first time, one request in eight broken, and
   * one scan in ten given up under way. A scan that fails all the same would be Spark's.
   */
  @Test
  @Timeout(900)
  void aThousandScansOfAFailingStoreLoseAndHoldNothing() throws Exception {
    System.out.println("S3UploadTest seed " + SEED);
    Path small = folder.resolve("small");
    for (int i = 0; i < FILES_OF_A_ROUND; i++) {
      ParquetFiles.write(
          small.resolve(i + ".parquet"),
          2_000 + i,
          Long.MAX_VALUE,
          false,
          CompressionCodecName.UNCOMPRESSED);
    }
    long before = PinnedPool.stats().bytesInUse();
    Random random = new Random(SEED);
    AtomicInteger failed = new AtomicInteger();
    ExecutorService tasks = Executors.newFixedThreadPool(SCANS_AT_ONCE);
    try {
      for (int round = 0; round < SCANS / FILES_OF_A_ROUND; round++) {
        server.front().mend();
        List<ParquetFile> fresh = listed(server.put(small, "small-" + round));
        server.front().breakOneIn(8, random);
        List<Callable<Void>> scans = new ArrayList<>();
        for (ParquetFile file : fresh) {
          boolean givenUp = random.nextInt(10) == 0;
          scans.add(() -> scan(file, givenUp, failed));
        }
        for (Future<Void> scan : tasks.invokeAll(scans)) {
          scan.get();
        }
        fresh.forEach(IdleStreams::close);
      }
    } finally {
      tasks.shutdownNow();
    }
    assertThat(failed.get()).as("scans left to Spark").isLessThanOrEqualTo(SCANS / 100);
    await().untilAsserted(() -> assertThat(PinnedPool.stats().bytesInUse()).isEqualTo(before));
  }

  /** One scan of a file; every page is held against its checksum. */
  private Void scan(ParquetFile file, boolean givenUp, AtomicInteger failed) throws Exception {
    try {
      try (UnitUpload upload = reads.begin(unit(file), counters, conf)) {
        if (!givenUp) {
          upload.await(() -> {});
        }
      }
    } catch (IOException e) {
      failed.incrementAndGet();
    }
    return null;
  }

  /** The store has sent half of each response when the task gives the unit up. */
  @ParameterizedTest
  @EnumSource(names = {"STUCK", "TRICKLE"})
  void aTaskThatGivesUpWaitsForNoResponse(Fault fault) throws Exception {
    ReadUnit unit = unit(files.get(0));
    server.front().takeRequests();
    server.front().breakThose(request -> request.method().equals("GET") ? fault : Fault.NONE);
    UnitUpload upload = reads.begin(unit, counters, conf);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    try (upload) {
      await().until(() -> server.front().takeRequests().stream().anyMatch(S3UploadTest::isGet));
      Runnable killed =
          () -> {
            throw new IllegalStateException("killed");
          };
      assertThatThrownBy(() -> upload.await(killed)).hasMessage("killed");
    }
    upload.state().afterLastPiece(() -> ended.complete(null));
    if (fault == Fault.STUCK) {
      // No client of Java can end a read of a connection on which nothing comes.
      server.front().mend();
    }
    assertThat(ended).succeedsWithin(Duration.ofSeconds(30));
    server.front().mend();
    assertThat(readAll()).isGreaterThan(unit.encodedBytes());
  }

  private static boolean isGet(Request request) {
    return request.method().equals("GET");
  }

  private long readAll() {
    try {
      long bytes = 0;
      for (ParquetFile file : files) {
        ReadUnit unit = unit(file);
        reads.read(unit, counters, conf);
        bytes += unit.encodedBytes();
      }
      return bytes;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private ReadUnit unit(ParquetFile file) throws Exception {
    Footer footer = FooterCache.shared().footer(file, conf, counters);
    List<String> columns =
        footer.schema().getFields().stream().map(column -> column.getName()).toList();
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(file, footer, columns, Long.MAX_VALUE, 64).plan(all).get(0);
  }
}
