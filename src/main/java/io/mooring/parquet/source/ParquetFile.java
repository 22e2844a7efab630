package io.mooring.parquet.source;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** One file as the file listing saw it: these three together name its content. */
public record ParquetFile(String path, long length, long modificationTime) {
  public ParquetFile {
    Objects.requireNonNull(path, "path");
  }

  public Path hadoopPath() {
    return new Path(path);
  }

  /**
   * What its file system says of it.
   *
   * @throws IOException when it is not the listed file any more
   */
  public FileStatus statusIfUnchanged(FileSystem fs) throws IOException {
    FileStatus now = fs.getFileStatus(hadoopPath());
    if (now.getLen() != length
        || !isSameTime(now.getModificationTime(), Storage.of(fs) == Storage.LOCAL)) {
      throw new IOException(path + " was written again after it was listed");
    }
    return now;
  }

  /** Object stores list milliseconds and tell whole seconds when they are asked for one object. */
  private boolean isSameTime(long nowMillis, boolean exactly) {
    long unit = exactly ? 1 : Duration.ofSeconds(1).toMillis();
    return nowMillis / unit == modificationTime / unit;
  }
}
