package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.jni.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way of reading a stream gives the bytes that are in the file. */
@Timeout(120)
class HadoopFileSourceTest {
  private static final int RANGES = 60;
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

  @TempDir Path folder;
  private final Configuration conf = OneWayFileSystem.configuration();

  @BeforeAll
  static void load() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    System.out.println("HadoopFileSourceTest seed " + SEED);
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(SEED).nextBytes(bytes);
    return bytes;
  }

  private FileSource source(String way, byte[] bytes) throws IOException {
    var path = new org.apache.hadoop.fs.Path(folder.resolve("bytes").toUri());
    var local = FileSystem.getLocal(conf);
    try (var out = local.create(path)) {
      out.write(bytes);
    }
    return switch (way) {
      case "checksummed" ->
          new HadoopFileSource(path, true, () -> local.open(path), RequestCounts.NONE);
      case "raw" ->
          new HadoopFileSource(path, true, () -> local.getRaw().open(path), RequestCounts.NONE);
      default -> FileSource.open(listed(way), conf, RequestCounts.NONE);
    };
  }

  private ParquetFile listed(String scheme) throws IOException {
    Path file = folder.resolve("bytes");
    return new ParquetFile(
        scheme + "://" + file, Files.size(file), Files.getLastModifiedTime(file).toMillis());
  }

  @ParameterizedTest
  @ValueSource(strings = {"checksummed", "raw", "arrays", "buffers", "positions", "vectors"})
  void randomRanges_readByManyThreads_areTheFilesBytes(String way) throws IOException {
    byte[] bytes = bytes((3 << 20) + 17);
    try (FileSource source = source(way, bytes)) {
      assertThat(source).isInstanceOf(HadoopFileSource.class);
      assertThat(SourceBytes.read(source, 0, bytes.length)).isEqualTo(bytes);
      IntStream.range(0, RANGES)
          .parallel()
          .forEach(i -> assertStretch(source, bytes, new Random(SEED + i)));
    }
  }

  private static void assertStretch(FileSource source, byte[] bytes, Random random) {
    int from = random.nextInt(bytes.length);
    int length = 1 + random.nextInt(Math.min(bytes.length - from, 1 << random.nextInt(22)));
    try {
      assertThat(SourceBytes.read(source, from, length))
          .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
    } catch (IOException e) {
      throw new AssertionError(from + " and " + length + " more", e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"checksummed", "raw", "arrays", "buffers", "positions", "vectors"})
  void aFileThatEndsTooEarlyIsAnErrorThatNamesIt(String way) throws IOException {
    try (FileSource source = source(way, bytes(100))) {
      for (int from : new int[] {50, 99, 100, 5000}) {
        assertThatThrownBy(() -> SourceBytes.read(source, from, 51))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(folder.resolve("bytes").toString());
      }
      assertThat(SourceBytes.read(source, 49, 51))
          .isEqualTo(Arrays.copyOfRange(bytes(100), 49, 100));
    }
  }

  @Test
  void aWrongChecksumIsAnErrorThatNamesTheFile() throws IOException {
    byte[] bytes = bytes(5000);
    try (FileSource source = source("checksummed", bytes)) {
      bytes[3000]++;
      Files.write(folder.resolve("bytes"), bytes);
      assertThatThrownBy(() -> SourceBytes.read(source, 2900, 200))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder.resolve("bytes").toString());
    }
  }

  @Test
  void aRemoteFileThatWasWrittenAgainIsRefused() throws IOException {
    source("arrays", bytes(100)).close();
    Path file = folder.resolve("bytes");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));
    ParquetFile before = listed("arrays");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));
    assertThat(firstByte(before)).isEqualTo(bytes(100)[0]);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_001_123L));
    assertThatThrownBy(() -> firstByte(before)).hasMessageContaining("written again");
    Files.write(file, bytes(99));
    Files.setLastModifiedTime(file, FileTime.fromMillis(before.modificationTime()));
    assertThatThrownBy(() -> firstByte(before)).hasMessageContaining("written again");
  }

  private byte firstByte(ParquetFile file) throws IOException {
    try (FileSource source = FileSource.open(file, conf, RequestCounts.NONE)) {
      return SourceBytes.read(source, 0, 1)[0];
    }
  }
}
