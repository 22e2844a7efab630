package io.mooring.parquet.source;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A file as the listing saw it: path, length and modification time identify its content. */
public record ParquetFile(String path, long length, long modificationTime) {
  public ParquetFile {
    Objects.requireNonNull(path, "path");
  }

  public Path hadoopPath() {
    return new Path(path);
  }

  /**
   * The file's present status.
   *
   * @throws IOException when it is no longer the listed file
   */
  public FileStatus statusIfUnchanged(FileSystem fs) throws IOException {
    FileStatus now = fs.getFileStatus(hadoopPath());
    if (now.getLen() != length
        || !isSameTime(now.getModificationTime(), Storage.of(fs) == Storage.LOCAL)) {
      throw new IOException(path + " was written again after it was listed");
    }
    return now;
  }

  /** Compares times; stores list milliseconds and give whole seconds for a single object. */
  private boolean isSameTime(long nowMillis, boolean exactly) {
    long unit = exactly ? 1 : Duration.ofSeconds(1).toMillis();
    return nowMillis / unit == modificationTime / unit;
  }
}
