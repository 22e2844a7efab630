package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Files as listings with and without e-tags tell them. */
class ParquetFileTest {
  private static final Path PATH = new Path("tagged:/file");
  private static final long TIME = 1_700_000_000_000L;

  private static final class Tagged extends FileStatus implements EtagSource {
    private final @Nullable String tag;

    Tagged(@Nullable String tag) {
      super(3, false, 1, 1, TIME, PATH);
      this.tag = tag;
    }

    @Override
    public @Nullable String getEtag() {
      return tag;
    }
  }

  /** Says of every file what it was told. */
  private static final class OneFile extends RawLocalFileSystem {
    private final FileStatus now;

    OneFile(FileStatus now) {
      this.now = now;
    }

    @Override
    public FileStatus getFileStatus(Path path) {
      return now;
    }
  }

  private static ParquetFile listed(@Nullable String tag) {
    return ParquetFile.of(new Tagged(tag));
  }

  @Test
  void theETagIsTheListings() {
    assertThat(listed("\"0x1-2\"")).isEqualTo(new ParquetFile(PATH.toString(), 3, TIME, "0x1-2"));
    assertThat(listed("0x1-2")).isEqualTo(listed("\"0x1-2\""));
    assertThat(listed("0x1-3")).isNotEqualTo(listed("0x1-2"));
  }

  @Test
  void noETagAWeakOneAndAnEmptyOneAreNone() {
    ParquetFile without = new ParquetFile(PATH.toString(), 3, TIME);
    assertThat(ParquetFile.of(new FileStatus(3, false, 1, 1, TIME, PATH))).isEqualTo(without);
    assertThat(listed(null)).isEqualTo(without);
    assertThat(listed("\"\"")).isEqualTo(without);
    assertThat(listed("W/\"0x1-2\"")).isEqualTo(without);
  }

  @Test
  void aFileWithAnotherETagIsAnotherFile() throws IOException {
    OneFile fs = new OneFile(new Tagged("\"b\""));
    listed("b").statusIfUnchanged(fs);
    listed(null).statusIfUnchanged(fs);
    listed("a").statusIfUnchanged(new OneFile(new Tagged(null)));
    assertThatThrownBy(() -> listed("a").statusIfUnchanged(fs))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("written again");
  }

  @Test
  void itTravelsToExecutors() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(listed("a"));
    }
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(listed("a"));
    }
  }
}
