package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.stores.HdfsCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files in HDFS are read by many threads at a time, from whichever replica is whole. */
@Tag("stores")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HdfsSourceTest {
  private static final int THREADS = 8;
  private static final int READS = 10;

  @TempDir static Path folder;
  private HdfsCluster hdfs;
  private Configuration conf;
  private byte[] bytes;
  private final ScanCounters counters = new ScanCounters();

  @BeforeAll
  void start() throws Exception {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    hdfs = new HdfsCluster(folder.resolve("hdfs"));
    conf = hdfs.configuration();
    Path local = folder.resolve("file.parquet");
    ParquetFiles.write(local, 400_000, 1 << 20);
    bytes = Files.readAllBytes(local);
    assertThat(bytes.length).isGreaterThan(3 * HdfsCluster.BLOCK_BYTES);
  }

  @AfterAll
  void stop() throws Exception {
    hdfs.close();
  }

  private ParquetFile put(String name) throws IOException {
    return listed(hdfs.put(name, bytes));
  }

  private ParquetFile listed(org.apache.hadoop.fs.Path path) throws IOException {
    return ParquetFile.of(hdfs.fs().listStatus(path)[0]);
  }

  private void assertRead(FileSource source, int from, int length) throws IOException {
    assertThat(SourceBytes.read(source, from, length))
        .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
  }

  private void assertReadByThreads(ParquetFile file) throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(THREADS);
    try (FileSource source = FileSource.open(file, conf, counters)) {
      List<CompletableFuture<Void>> done = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        done.add(CompletableFuture.runAsync(() -> readSome(source, number), readers));
      }
      CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(100, TimeUnit.SECONDS);
    } finally {
      readers.shutdownNow();
    }
  }

  private void readSome(FileSource source, int seed) {
    Random random = new Random(seed);
    try {
      assertRead(source, 0, bytes.length);
      for (int i = 0; i < READS; i++) {
        int from = random.nextInt(bytes.length);
        assertRead(source, from, 1 + random.nextInt(bytes.length - from));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFileOfSeveralBlocksIsReadByManyThreads() throws Exception {
    ParquetFile file = put("blocks.parquet");
    assertThat(FooterCache.shared().footer(file, conf, counters).rowGroups()).isNotEmpty();
    assertReadByThreads(file);
    // Requests are counted for object stores alone.
    assertThat(counters.value(Counter.REQUESTS)).isZero();
  }

  @Test
  void anErasureCodedFileIsRead() throws Exception {
    var coded = new org.apache.hadoop.fs.Path(hdfs.address() + "/coded");
    hdfs.fs().mkdirs(coded);
    hdfs.fs().setErasureCodingPolicy(coded, "XOR-2-1-1024k");
    assertReadByThreads(put("coded/file.parquet"));
  }

  @Test
  void aFileIsReadWithoutTheDataNodeThatIsGone() throws Exception {
    ParquetFile file = put("replicated.parquet");
    try (FileSource source = FileSource.open(file, conf, counters)) {
      assertRead(source, 0, 1000);
      var stopped = hdfs.stopDataNode(0);
      try {
        assertRead(source, 0, bytes.length);
        assertReadByThreads(file);
      } finally {
        hdfs.restart(stopped);
      }
    }
  }

  @Test
  void aDamagedReplicaIsNotTakenForTheFile() throws Exception {
    var path = hdfs.put("damaged.parquet", bytes);
    hdfs.damage(path, 1);
    assertReadByThreads(listed(path));
  }

  @Test
  void aFileWithoutAWholeReplicaIsAnErrorThatNamesIt() throws Exception {
    var path = hdfs.put("lost.parquet", bytes);
    ParquetFile file = listed(path);
    hdfs.damage(path, 2);
    try (FileSource source = FileSource.open(file, conf, counters)) {
      assertThatThrownBy(() -> assertRead(source, 0, bytes.length))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("lost.parquet");
    }
  }

  @Test
  void aFileThatIsReplacedInTheSameSecondIsRefused() throws Exception {
    ParquetFile file;
    ParquetFile replacement;
    do {
      file = put("replaced.parquet");
      replacement = put("replaced.parquet");
    } while (seconds(file) != seconds(replacement)
        || file.modificationTime() == replacement.modificationTime());
    assertThat(replacement.length()).isEqualTo(file.length());
    ParquetFile first = file;
    assertThatThrownBy(() -> FileState.now(first, conf, counters))
        .hasMessageContaining("written again");
    try (FileSource source = FileSource.open(file, conf, counters)) {
      assertThatThrownBy(() -> assertRead(source, 0, 1000)).hasMessageContaining("written again");
    }
    assertReadByThreads(replacement);
  }

  private static long seconds(ParquetFile file) {
    return TimeUnit.MILLISECONDS.toSeconds(file.modificationTime());
  }

  @Test
  void aFileThatIsCutOffOrDeletedIsRefused() throws Exception {
    var path = hdfs.put("cut.parquet", bytes);
    ParquetFile file = listed(path);
    assertThat(hdfs.fs().truncate(path, HdfsCluster.BLOCK_BYTES)).isTrue();
    assertRefused(file, "written again");
    hdfs.fs().delete(path, false);
    assertRefused(file, "cut.parquet");
  }

  private void assertRefused(ParquetFile file, String why) throws IOException {
    try (FileSource source = FileSource.open(file, conf, counters)) {
      assertThatThrownBy(() -> assertRead(source, 0, 1000))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(why);
    }
  }
}
