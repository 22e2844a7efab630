package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local files stand for those of a store: only reading them differs. */
class WholeFilesTest {
  private static final int BYTES = 1000;

  @TempDir Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private final WholeFiles files = new WholeFiles(BYTES * 5 / 2, nanos::get);

  private ParquetFile file(String name, int bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
      file.setLength(bytes);
    }
    return new ParquetFile("file:" + folder.resolve(name), bytes, 0);
  }

  private byte[] read(ParquetFile file) throws IOException {
    try (FileBytes in = FileBytes.open(file, ParquetFiles.CONF, RequestCounts.NONE)) {
      return files.read(file, () -> in.read(0, (int) file.length()));
    }
  }

  @Test
  void take_givesTheBytesOnce() throws IOException {
    ParquetFile file = file("a", BYTES);
    byte[] bytes = read(file);
    assertThat(bytes).isEqualTo(Files.readAllBytes(folder.resolve("a")));
    assertThat(files.usedBytes()).isEqualTo(BYTES);
    assertThat(files.take(file)).isSameAs(bytes);
    assertThat(files.take(file)).isNull();
    assertThat(files.usedBytes()).as("they are still in use").isEqualTo(BYTES);
    files.release(bytes.length);
    assertThat(files.usedBytes()).isZero();
  }

  @Test
  void find_leavesTheBytesWhereTheyAre() throws IOException {
    ParquetFile file = file("a", BYTES);
    ParquetFile other = file("b", BYTES);
    assertThat(files.find(file)).isNull();
    byte[] bytes = read(file);
    assertThat(files.find(file)).isSameAs(bytes);
    assertThat(files.holdsAll(List.of(file))).isTrue();
    assertThat(files.holdsAll(List.of(file, other))).isFalse();
    assertThat(files.take(file)).isSameAs(bytes);
    assertThat(files.holdsAll(List.of(file))).isFalse();
  }

  /** The file may have been replaced between the reads of two tasks. */
  @Test
  void take_givesEachTaskWhatItHasRead() throws IOException {
    ParquetFile ofOneTask = file("a", BYTES);
    ParquetFile ofAnother = new ParquetFile(ofOneTask.path(), BYTES, 0);
    assertThat(ofAnother).isEqualTo(ofOneTask);
    byte[] first = read(ofOneTask);
    assertThat(files.find(ofAnother)).isNull();
    byte[] second = read(ofAnother);
    assertThat(files.take(ofAnother)).isSameAs(second);
    assertThat(files.take(ofOneTask)).isSameAs(first).isNotSameAs(second);
  }

  @Test
  void read_leavesLargeFilesAndThoseForWhichThereIsNoRoom() throws IOException {
    assertThat(read(file("large", WholeFiles.MOST_FILE_BYTES + 1))).isNull();
    ParquetFile first = file("a", BYTES);
    assertThat(read(first)).isNotNull();
    assertThat(read(file("b", BYTES))).isNotNull();
    assertThat(read(file("c", BYTES))).isNull();
    files.drop(first);
    assertThat(read(file("c", BYTES))).isNotNull();
    assertThat(files.usedBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void read_holdsAFileOnce() throws IOException {
    ParquetFile file = file("a", BYTES);
    assertThat(read(file)).isSameAs(read(file));
    assertThat(files.usedBytes()).isEqualTo(BYTES);
  }

  @Test
  void read_holdsNothingIfItFails() throws IOException {
    ParquetFile shorter = new ParquetFile(file("a", BYTES).path(), BYTES + 1, 0);
    assertThatThrownBy(() -> read(shorter)).isInstanceOf(IOException.class);
    assertThat(files.usedBytes()).isZero();
  }

  @Test
  void read_dropsWhatNobodyTook() throws IOException {
    ParquetFile old = file("a", BYTES);
    read(old);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    ParquetFile later = file("b", BYTES);
    read(later);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    read(file("c", BYTES));
    assertThat(files.take(old)).isNull();
    assertThat(files.take(later)).isNotNull();
  }
}
