package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront;
import io.mooring.stores.StoreFront.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet file in an S3 server of its own, which is another object for each test, and how tasks
 * read it.
 */
final class S3File implements AutoCloseable {
  private final Path folder;
  private final S3Server server;
  private final Configuration conf;
  private byte[] bytes = {};
  private @Nullable ParquetFile file;
  private ScanCounters counters = new ScanCounters();

  /** Starts the server; the file is there once it is renewed. */
  S3File(Path folder) throws Exception {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    this.folder = folder;
    server = new S3Server();
    conf = server.configuration();
  }

  /** Writes another file, which nothing has been counted of. */
  void renew() throws IOException {
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

  /** Puts its bytes again: the file is then the one of now. */
  void putAgain() throws IOException {
    file = put(name(), bytes);
  }

  /** Puts other bytes in its place. */
  void overwrite(byte[] others) {
    server.put(name(), others);
  }

  /**
   * Puts other bytes in its place, and lists them.
   *
   * @return the file of these; this one stays what was listed before
   */
  ParquetFile replaceBy(byte[] others) throws IOException {
    return put(name(), others);
  }

  StoreFront front() {
    return server.front();
  }

  Configuration conf() {
    return conf;
  }

  byte[] bytes() {
    return bytes;
  }

  ParquetFile file() {
    return Objects.requireNonNull(file);
  }

  String name() {
    return file().hadoopPath().getName();
  }

  ScanCounters counters() {
    return counters;
  }

  /** The methods of the requests since the last time. */
  List<String> methods() {
    return server.front().takeRequests().stream().map(Request::method).toList();
  }

  /** Reads the footer as tasks do: through the cache, of which each has one that is empty. */
  void readFooter() throws Exception {
    assertThat(FooterCache.shared().footer(file(), conf, counters).rowGroups()).isNotEmpty();
  }

  /** The same, where the data is to be read too. */
  void readWithFooter() throws Exception {
    assertThat(FooterCache.shared().footer(file(), conf, counters, true).footer().rowGroups())
        .isNotEmpty();
  }

  FileSource open() throws IOException {
    return FileSource.open(file(), conf, counters);
  }

  void assertRead(FileSource source, int from, int length) throws IOException {
    assertThat(SourceBytes.read(source, from, length))
        .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
  }

  /** Reads random parts by several threads at a time. */
  void readByThreads(int threads, int reads) throws Exception {
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

  /** No request is counted any more as one that is under way. */
  void assertNothingIsUnderWay() {
    server.front().mend();
    IdleStreams.close(file());
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

  @Override
  public void close() throws Exception {
    FileSystem.closeAll();
    server.close();
  }
}
