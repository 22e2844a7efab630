package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.jni.NativeLibrary;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.source.FileSource.LocalFileSource;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalFileSourceTest {
  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void write() throws IOException {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    path = Files.write(folder.resolve("a b%20c"), new byte[] {1, 2, 3, 4, 5});
  }

  private static ParquetFile listed(Path path) throws IOException {
    return new ParquetFile(
        "file:" + path, Files.size(path), Files.getLastModifiedTime(path).toMillis());
  }

  @Test
  void readFully_givesTheBytesAtTheOffset() throws IOException {
    try (FileSource source = FileSource.open(listed(path), ParquetFiles.CONF, RequestCounts.NONE);
        HostBuffer buffer = HostMemory.allocate(2)) {
      assertThat(source).isInstanceOf(LocalFileSource.class);
      source.readFully(2, buffer.address(), 2);
      assertThat(Platform.getByte(null, buffer.address())).isEqualTo((byte) 3);
      assertThat(Platform.getByte(null, buffer.address() + 1)).isEqualTo((byte) 4);
      assertThatThrownBy(() -> source.readFully(4, buffer.address(), 2))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("a b%20c");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00fc", "\u4e2d", "\ud83d\ude00", "\ud840\udc0b"})
  void aNameMayHaveAnyCharacters(String character) throws IOException {
    assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "the locale is not UTF-8's");
    Path named = Files.write(folder.resolve("f-" + character + ".parquet"), new byte[] {7});
    try (FileSource source = FileSource.open(listed(named), ParquetFiles.CONF, RequestCounts.NONE);
        HostBuffer buffer = HostMemory.allocate(1)) {
      source.readFully(0, buffer.address(), 1);
      assertThat(Platform.getByte(null, buffer.address())).isEqualTo((byte) 7);
    }
  }

  @Test
  void aFileThatWasWrittenAgainIsRefused() throws IOException {
    ParquetFile before = listed(path);
    Files.setLastModifiedTime(path, FileTime.fromMillis(before.modificationTime() + 1000));
    assertThatThrownBy(() -> FileSource.open(before, ParquetFiles.CONF, RequestCounts.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("written again");
    Files.write(path, new byte[3]);
    Files.setLastModifiedTime(path, FileTime.fromMillis(before.modificationTime()));
    assertThatThrownBy(() -> FileSource.open(before, ParquetFiles.CONF, RequestCounts.NONE))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aFileThatIsReplacedWhileItIsOpenedIsNotTakenForTheListedOne() throws Exception {
    Path original = Files.write(folder.resolve("original"), new byte[] {1});
    Path other = Files.write(folder.resolve("other"), new byte[] {2});
    Files.setLastModifiedTime(other, FileTime.fromMillis(1_000_000));
    Path copy = folder.resolve("copy");
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 5_000; i++) {
        Path replaced = Files.createLink(folder.resolve("replaced-" + i), original);
        ParquetFile before = listed(replaced);
        Files.createLink(copy, other);
        CyclicBarrier together = new CyclicBarrier(2);
        Future<?> replacement =
            writer.submit(
                () -> {
                  together.await();
                  return Files.move(copy, replaced, StandardCopyOption.REPLACE_EXISTING);
                });
        together.await();
        assertThat(firstByte(before)).isNotEqualTo(2);
        replacement.get();
      }
    } finally {
      writer.shutdownNow();
    }
  }

  /** The first byte of a file, or -1 where it is refused. */
  private static int firstByte(ParquetFile file) {
    try (FileSource source = FileSource.open(file, ParquetFiles.CONF, RequestCounts.NONE);
        HostBuffer buffer = HostMemory.allocate(1)) {
      source.readFully(0, buffer.address(), 1);
      return Platform.getByte(null, buffer.address());
    } catch (IOException e) {
      return -1;
    }
  }
}
