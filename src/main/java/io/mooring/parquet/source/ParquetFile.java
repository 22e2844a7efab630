package io.mooring.parquet.source;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file as the listing saw it: path, length and modification time identify its content.
 *
 * @param modificationTime milliseconds since the epoch, or {@link #NEVER_REWRITTEN}
 */
public record ParquetFile(String path, long length, long modificationTime) {
  /** The time of a file whose table format never writes to one path twice, and lists no time. */
  public static final long NEVER_REWRITTEN = -1;

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
    if (modificationTime == NEVER_REWRITTEN) {
      return true;
    }
    long unit = exactly ? 1 : Duration.ofSeconds(1).toMillis();
    return nowMillis / unit == modificationTime / unit;
  }
}
