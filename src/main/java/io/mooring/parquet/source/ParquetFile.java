package io.mooring.parquet.source;

import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file as the listing saw it: path, length, modification time and e-tag identify its content.
 *
 * @param modificationTime milliseconds since the epoch, or {@link #NEVER_REWRITTEN}
 * @param eTag what an object store calls this content of the file, without quotes; null where the
 *     listing does not tell it
 * @param timeIsOfLog whether the time is that of the log of a table format that never writes to one
 *     path twice, so that a copy of the table has other times
 */
public record ParquetFile(
    String path, long length, long modificationTime, @Nullable String eTag, boolean timeIsOfLog)
    implements Serializable {
  /** The time of a file whose table format never writes to one path twice, and lists no time. */
  public static final long NEVER_REWRITTEN = -1;

  public ParquetFile {
    Objects.requireNonNull(path, "path");
  }

  /** A file whose listing has no e-tag. */
  public ParquetFile(String path, long length, long modificationTime) {
    this(path, length, modificationTime, null);
  }

  /** A file that a file system has listed. */
  public ParquetFile(String path, long length, long modificationTime, @Nullable String eTag) {
    this(path, length, modificationTime, eTag, false);
  }

  /** The file that a file system's status describes. */
  public static ParquetFile of(FileStatus status) {
    return of(status, false);
  }

  /** The file that a status of a file system or, if {@code timeIsOfLog}, of a log describes. */
  public static ParquetFile of(FileStatus status, boolean timeIsOfLog) {
    return new ParquetFile(
        status.getPath().toString(),
        status.getLen(),
        status.getModificationTime(),
        eTag(status),
        timeIsOfLog);
  }

  private static @Nullable String eTag(FileStatus status) {
    String tag = status instanceof EtagSource source ? source.getEtag() : null;
    // Equal weak e-tags do not promise equal bytes.
    if (tag == null || tag.startsWith("W/")) {
      return null;
    }
    // Some stores quote them in the answer to one request and not in that to another.
    String bare = tag.replace("\"", "");
    return bare.isEmpty() ? null : bare;
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
        || !isSameTime(now.getModificationTime(), Storage.hasExactTimes(fs))
        || !isSameETag(eTag(now))) {
      throw new IOException(path + " was written again after it was listed");
    }
    return now;
  }

  /** Compares e-tags where both are known. */
  private boolean isSameETag(@Nullable String now) {
    return eTag == null || now == null || eTag.equals(now);
  }

  /** Compares times, whole seconds of them where they are not exact. */
  private boolean isSameTime(long nowMillis, boolean exactly) {
    if (modificationTime == NEVER_REWRITTEN || timeIsOfLog) {
      return true;
    }
    long unit = exactly ? 1 : Duration.ofSeconds(1).toMillis();
    return nowMillis / unit == modificationTime / unit;
  }
}
