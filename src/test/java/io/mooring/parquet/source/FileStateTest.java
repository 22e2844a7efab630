package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.files.ParquetFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a file that has changed is told from what it was. */
class FileStateTest {
  @TempDir private Path folder;
  private Path path;
  private ParquetFile listed;

  @BeforeEach
  void write() throws IOException {
    path = Files.write(folder.resolve("file"), new byte[] {1, 2, 3});
    listed = ParquetFiles.at(path);
  }

  private FileState now() throws IOException {
    return FileState.now(listed, ParquetFiles.CONF, RequestCounts.NONE);
  }

  @Test
  void aFileThatNobodyTouchesStaysInItsState() throws IOException {
    assertThat(now()).isEqualTo(now());
    assertThat(FileState.beforeReading(listed, ParquetFiles.CONF)).isEqualTo(now());
  }

  @Test
  void theSameTimeAndLengthAreNotEnoughOnALocalDisk() throws Exception {
    FileTime time = Files.getLastModifiedTime(path);
    FileState before = now();
    // Longer than a tick of the kernel's clock.
    Thread.sleep(50);
    Files.write(path, new byte[] {4, 5, 6});
    Files.setLastModifiedTime(path, time);
    FileState rewritten = now();
    assertThat(rewritten).isNotEqualTo(before);

    Path other = Files.write(folder.resolve("other"), new byte[] {7, 8, 9});
    Files.setLastModifiedTime(other, time);
    Files.move(other, path, StandardCopyOption.ATOMIC_MOVE);
    assertThat(now()).isNotEqualTo(rewritten).isNotEqualTo(before);
  }

  @Test
  void aFileThatIsNoLongerTheListedOneHasNoState() throws IOException {
    Files.write(path, new byte[4]);
    assertThatThrownBy(this::now).isInstanceOf(IOException.class).hasMessageContaining("again");
    Files.delete(path);
    assertThatThrownBy(this::now).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> FileState.beforeReading(listed, ParquetFiles.CONF))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aFileIsSettledSomeSecondsAfterTheLastChangeOfItsInode() throws IOException {
    assertThat(now().isSettled()).isFalse();
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    listed = ParquetFiles.at(path);
    assertThat(now().isSettled()).as("its time was set back a moment ago").isFalse();
    await().until(() -> now().isSettled());
  }

  @Test
  void aStoresFileIsSettledByItsTimeOrWhereItIsNeverWrittenAgain() {
    long old = System.currentTimeMillis() - Duration.ofMinutes(1).toMillis();
    assertThat(stored(old).isSettled()).isTrue();
    assertThat(stored(System.currentTimeMillis()).isSettled()).isFalse();
    assertThat(stored(System.currentTimeMillis() + 60_000).isSettled())
        .as("by a clock that is fast")
        .isFalse();
    assertThat(stored(ParquetFile.NEVER_REWRITTEN).isSettled()).isTrue();
  }

  private static FileState stored(long time) {
    return new FileState(new ParquetFile("s3a://bucket/file", 3, time), 0, 0, null);
  }
}
