package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Fault;
import io.mooring.stores.StoreFront.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
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

/** What a file in S3 costs in requests, and that what breaks or changes is never taken for it. */
@Tag("stores")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3SourceTest {
  private static final int READS = 24;

  @TempDir static Path folder;
  private S3Server server;
  private Configuration conf;
  private byte[] bytes;
  private ParquetFile file;
  private ScanCounters counters;

  @BeforeAll
  void start() throws Exception {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    server = new S3Server();
    conf = server.configuration();
  }

  @AfterAll
  void stop() throws Exception {
    FileSystem.closeAll();
    server.close();
  }

  /** Each test has an object of its own. */
  @BeforeEach
  void put() throws IOException {
    counters = new ScanCounters();
    Path local = folder.resolve("file-" + System.nanoTime() + ".parquet");
    ParquetFiles.write(local, 20_000, 1 << 20);
    bytes = Files.readAllBytes(local);
    file = put(local.getFileName().toString(), bytes);
  }

  private ParquetFile put(String name, byte[] content) throws IOException {
    server.put(name, content);
    var path = new org.apache.hadoop.fs.Path("s3a://" + S3Server.BUCKET + "/" + name);
    FileStatus listed = path.getFileSystem(conf).listStatus(path)[0];
    server.front().takeRequests();
    return ParquetFile.of(listed);
  }

  @AfterEach
  void nothingIsUnderWay() {
    server.front().mend();
    IdleStreams.close(file);
    List<Integer> underWay = new ArrayList<>();
    RequestCounts last =
        new RequestCounts() {
          @Override
          public void requested(long asked, int now) {
            underWay.add(now);
          }

          @Override
          public void ended(long nanos) {}

          @Override
          public void needed(long needed) {}
        };
    RequestCounts.StoreRequest.begin(last, 0).close();
    assertThat(underWay).containsExactly(1);
  }

  private FileSource open() throws IOException {
    return FileSource.open(file, conf, counters);
  }

  private void assertRead(FileSource source, int from, int length) throws IOException {
    assertThat(SourceBytes.read(source, from, length))
        .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
  }

  /** The requests that a footer takes. */
  private static List<String> ofFooter() {
    return S3Server.isOpenedWithoutRequest() ? List.of("GET") : List.of("HEAD", "GET");
  }

  private List<String> methods() {
    return server.front().takeRequests().stream().map(Request::method).toList();
  }

  @Test
  void aFooterAndARangeOfDataTakeOneRequestEach() throws Exception {
    new FooterReads().read();
    assertThat(methods()).isEqualTo(ofFooter());
    try (FileSource source = open()) {
      assertRead(source, 4, 50_000);
    }
    assertThat(server.front().takeRequests())
        .containsExactly(new Request("GET", "/" + S3Server.BUCKET + "/" + name(), "bytes=4-50003"));
    assertThat(counters.value(Counter.REQUESTS)).isEqualTo(2);
    assertThat(counters.value(Counter.BYTES_REQUESTED)).isBetween(50_000L, 50_000L + bytes.length);
  }

  private String name() {
    return file.hadoopPath().getName();
  }

  /** As tasks do: through the cache, of which each has one that is empty. */
  private final class FooterReads {
    void read() throws Exception {
      assertThat(FooterCache.shared().footer(file, conf, counters).rowGroups()).isNotEmpty();
    }
  }

  @Test
  void aFooterThatIsHeldCostsOneQuestionForTheFile() throws Exception {
    await().until(() -> FileState.beforeReading(file, conf).isSettled());
    new FooterReads().read();
    IdleStreams.close(file);
    methods();
    new FooterReads().read();
    try (FileSource source = open()) {
      assertRead(source, 0, 1000);
      assertRead(source, 1000, 1000);
    }
    try (FileSource source = open()) {
      assertRead(source, 2000, 1000);
    }
    // The last two are one where the client goes on reading what it has asked for.
    assertThat(methods()).startsWith("HEAD", "GET", "GET").hasSizeBetween(3, 4);
  }

  @Test
  void aFileThatIsReplacedAfterItsFooterWasReadIsRefused() throws Exception {
    new FooterReads().read();
    byte[] others = bytes.clone();
    others[100]++;
    server.put(name(), others);
    try (FileSource source = open()) {
      assertThatThrownBy(() -> assertRead(source, 0, 1000)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aFooterOfAFileJustWrittenIsNotHeld() throws Exception {
    new FooterReads().read();
    IdleStreams.close(file);
    methods();
    new FooterReads().read();
    assertThat(methods()).isEqualTo(ofFooter());
  }

  @Test
  void anotherFileOfTheSameLengthAndSecondIsRefused() throws Exception {
    byte[] other = bytes.clone();
    other[other.length / 2]++;
    ParquetFile replacement;
    do {
      file = put(name(), bytes);
      replacement = put(name(), other);
    } while (replacement.modificationTime() != file.modificationTime());
    assertThat(replacement).isNotEqualTo(file);
    assertThat(replacement.length()).isEqualTo(file.length());
    assertThat(FileState.now(replacement, conf, counters).file()).isEqualTo(replacement);
    assertThatThrownBy(() -> FileState.now(file, conf, counters))
        .hasMessageContaining("written again");
    try (FileSource source = open()) {
      assertThatThrownBy(() -> assertRead(source, 0, 1000)).hasMessageContaining("written again");
    }
  }

  @Test
  void aFileThatWasReplacedBeforeItIsReadAgainIsRefused() throws Exception {
    new FooterReads().read();
    IdleStreams.close(file);
    server.put(name(), Arrays.copyOf(bytes, bytes.length + 1));
    try (FileSource source = open()) {
      assertThatThrownBy(() -> assertRead(source, 0, 1000)).hasMessageContaining("written again");
    }
  }

  /** None of them is answered before all have come. */
  @Test
  void readsOfOneFileAreAllUnderWayAtATime() throws Exception {
    CountDownLatch all = new CountDownLatch(READS);
    server
        .front()
        .breakThose(
            request -> {
              if (request.method().equals("GET")) {
                all.countDown();
                awaitAll(all);
              }
              return Fault.NONE;
            });
    readByThreads(READS, 1);
    assertThat(counters.value(Counter.REQUESTS_AT_ONCE)).isGreaterThanOrEqualTo(READS);
  }

  private static void awaitAll(CountDownLatch all) {
    try {
      assertThat(all.await(60, TimeUnit.SECONDS)).as("all requests are under way").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "SLOW_DOWN", "RESET", "TRUNCATED"})
  void whatBreaksIsReadAllTheSame(Fault fault) throws Exception {
    Random random = new Random(fault.ordinal());
    server
        .front()
        .breakThose(
            request -> {
              synchronized (random) {
                return random.nextInt(5) == 0 ? fault : Fault.NONE;
              }
            });
    readByThreads(8, 10);
  }

  private void readByThreads(int threads, int reads) throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(threads);
    try (FileSource source = open()) {
      List<CompletableFuture<Void>> done = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        done.add(CompletableFuture.runAsync(() -> readSome(source, number, reads), readers));
      }
      CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(100, TimeUnit.SECONDS);
    } finally {
      readers.shutdownNow();
    }
  }

  private void readSome(FileSource source, int seed, int reads) {
    Random random = new Random(seed);
    for (int i = 0; i < reads; i++) {
      int from = random.nextInt(bytes.length / 2);
      try {
        assertRead(source, from, 1 + random.nextInt(bytes.length - from));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void aStoreThatIsDownIsAnErrorThatNamesTheFile() throws Exception {
    Configuration impatient = new Configuration(conf);
    impatient.set("fs.s3a.retry.limit", "1");
    impatient.set("fs.s3a.attempts.maximum", "1");
    var path = file.hadoopPath();
    try (FileSystem fs = FileSystem.newInstance(path.toUri(), impatient)) {
      server.front().breakThose(request -> Fault.RESET);
      try (FileSource source = HadoopFileSource.of(file, fs, counters)) {
        assertThatThrownBy(() -> assertRead(source, 0, 100_000))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(name());
      }
      IdleStreams.close(file);
    }
  }
}
