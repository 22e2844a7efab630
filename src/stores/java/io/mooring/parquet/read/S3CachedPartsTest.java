package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.cache.CacheLimits;
import io.mooring.cache.ChunkCache;
import io.mooring.jni.FileJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Fault;
import io.mooring.stores.StoreFront.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

/** The cache over files in S3: what a later scan still asks the store, and what it refuses. */
@Tag("stores")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3CachedPartsTest {
  private static final long MIB = 1 << 20;
  private static final int FILES = 5;
  private static final int ROWS = 20_000;

  @TempDir static Path folder;
  private S3Server server;
  private Configuration conf;
  private List<ParquetFile> files;
  private final ScanCounters counters = new ScanCounters();
  private final ChunkCache cache = new ChunkCache(CacheLimits.ofRemoteFiles(32 * MIB));

  @BeforeAll
  void start() throws Exception {
    // Another test of this process may have started it.
    PinnedPool.start(
        new PoolSettings(
            64 * MIB, 64 * MIB, 64 * MIB, Duration.ofSeconds(60), 2, -1, List.of(), false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(60))).isTrue();
    server = new S3Server();
    conf = server.configuration();
    for (int i = 0; i < FILES; i++) {
      ParquetFiles.write(
          local(i), ROWS + i, Long.MAX_VALUE, false, CompressionCodecName.UNCOMPRESSED);
    }
    server.put(folder.resolve("table"), "table");
    files = listed();
    awaitSettled();
  }

  private static Path local(int i) {
    return folder.resolve("table").resolve(i + ".parquet");
  }

  private List<ParquetFile> listed() throws IOException {
    var path = new org.apache.hadoop.fs.Path("s3a://" + S3Server.BUCKET + "/table");
    List<ParquetFile> found = new ArrayList<>();
    for (FileStatus file : path.getFileSystem(conf).listStatus(path)) {
      found.add(ParquetFile.of(file));
    }
    return found;
  }

  private void awaitSettled() {
    for (ParquetFile file : files) {
      await().until(() -> FileState.beforeReading(file, conf).isSettled());
    }
  }

  @AfterEach
  void mend() {
    server.front().mend();
    files.forEach(IdleStreams::close);
    cache.clear();
  }

  @AfterAll
  void stop() throws Exception {
    FileSystem.closeAll();
    server.close();
  }

  private CacheReader reader() {
    return reader(() -> {});
  }

  private CacheReader reader(Runnable stillWanted) {
    return new CacheReader(cache, PageChecks.CHECKSUMS, conf, counters, stillWanted);
  }

  private ReadUnit unit(ParquetFile file) throws Exception {
    Footer footer = FooterCache.shared().footer(file, conf, counters);
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(file, footer, List.of("id", "other", "text"), Long.MAX_VALUE, 0)
        .plan(all)
        .get(0);
  }

  /** Reads what is not cached, as I/O threads do, and has the cache serve it. */
  private void fill() throws Exception {
    CacheReader reader = reader();
    for (ParquetFile file : files) {
      ReadUnit unit = unit(file);
      CachedParts parts = reader.find(unit);
      try (UnitSources sources = UnitSources.open(unit.files(), unit.ranges(), conf, counters)) {
        for (FileRange range : unit.ranges()) {
          HostBuffer buffer = HostMemory.allocate(range.length());
          sources.readFully(range, buffer.address());
          parts.keep(range, buffer);
        }
      }
      parts.publish();
      parts.release();
    }
  }

  private static void assertBytes(CachedParts parts, Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (CachedParts.Part part : parts.parts()) {
      byte[] cached = new byte[(int) part.range().length()];
      FileJni.view(part.address(), cached.length).get(cached);
      int offset = (int) part.range().offset();
      assertThat(cached).isEqualTo(Arrays.copyOfRange(bytes, offset, offset + cached.length));
    }
  }

  /** No answer comes before all files have been asked for. */
  @Test
  void aLaterScanAsksOnlyWhetherTheFilesAreStillTheSameAndAtATime() throws Exception {
    fill();
    files.forEach(IdleStreams::close);
    server.front().takeRequests();
    server.front().answerTogether(FILES);
    CacheReader reader = reader();
    reader.begin(files);
    for (int i = 0; i < FILES; i++) {
      ReadUnit unit = unit(files.get(i));
      CachedParts parts = reader.find(unit);
      assertThat(parts.bytes()).isEqualTo(unit.neededBytes());
      assertBytes(parts, local(i));
      parts.release();
    }
    assertThat(server.front().takeRequests())
        .hasSize(FILES)
        .extracting(Request::method)
        .containsOnly("HEAD");
  }

  private static void awaitAll(CountDownLatch all) {
    try {
      assertThat(all.await(60, TimeUnit.SECONDS)).as("it comes").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aKilledTaskWaitsForNoAnswer() throws Exception {
    fill();
    ReadUnit unit = unit(files.get(0));
    CountDownLatch asked = new CountDownLatch(FILES);
    CountDownLatch end = new CountDownLatch(1);
    server
        .front()
        .breakThose(
            request -> {
              asked.countDown();
              awaitAll(end);
              return Fault.NONE;
            });
    CacheReader reader =
        reader(
            () -> {
              throw new IllegalStateException("killed");
            });
    try {
      reader.begin(files);
      awaitAll(asked);
      assertThatThrownBy(() -> reader.find(unit)).hasMessage("killed");
    } finally {
      end.countDown();
    }
  }

  @Test
  void aFileThatWasReplacedIsNotServed() throws Exception {
    fill();
    byte[] original = Files.readAllBytes(local(0));
    byte[] other = original.clone();
    other[other.length / 2]++;
    server.put("table/0.parquet", other);
    ReadUnit unit = unit(files.get(0));
    CacheReader reader = reader();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> reader.find(unit))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("written again");
    }
    files = listed();
    awaitSettled();
    CachedParts parts = reader().find(unit(files.get(0)));
    assertThat(parts.isEmpty()).isTrue();
    parts.giveUp();
    // The cache holds chunks of one state of a file only.
    assertThat(cache.stats().changedBytes()).isGreaterThanOrEqualTo(unit.neededBytes());
    server.put("table/0.parquet", original);
    files = listed();
    awaitSettled();
  }

  @Test
  void aQuestionThatFailsIsAskedAgain() throws Exception {
    fill();
    CacheReader reader = reader();
    ReadUnit unit = unit(files.get(1));
    server.put("table/1.parquet", new byte[1]);
    assertThatThrownBy(() -> reader.find(unit)).isInstanceOf(IOException.class);
    server.put("table/1.parquet", Files.readAllBytes(local(1)));
    files = listed();
    awaitSettled();
    assertThat(reader.find(unit(files.get(1))).isEmpty()).isTrue();
  }
}
