package io.mooring.parquet.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * A file in one state. Reads of a file in equal states give equal bytes.
 *
 * @param inode the inode of a local file; 0 for other files
 * @param changedNanos when a local file's inode was last changed, in nanoseconds since the epoch, a
 *     time that no program can set back; 0 for other files
 * @param access the file system through which the file is read, one for each user; null for local
 *     files, which the process reads as itself
 */
public record FileState(
    ParquetFile file, long inode, long changedNanos, @Nullable FileSystem access) {
  // Some file systems keep times of whole seconds, and the clocks of stores differ from this one.
  private static final Duration SETTLED_AFTER = Duration.ofSeconds(3);

  /**
   * The state of a file now: of a local one by its inode, of others by a request.
   *
   * @throws IOException when it is no longer the listed file
   */
  public static FileState now(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    FileSystem fs = file.hadoopPath().getFileSystem(conf);
    if (Storage.of(fs) == Storage.LOCAL) {
      FileState state = ofInode(file);
      file.statusIfUnchanged(fs);
      return state;
    }
    if (file.modificationTime() != ParquetFile.NEVER_REWRITTEN) {
      new FileOpener(file, fs, counts).status();
    }
    return new FileState(file, 0, 0, fs);
  }

  /**
   * The state of a file that is about to be read. Sends no request for a file that is not local,
   * unlike {@link #now}: reading such a file fails if it has changed after it was listed.
   *
   * @throws IOException when a local file does not exist any more
   */
  public static FileState beforeReading(ParquetFile file, Configuration conf) throws IOException {
    FileSystem fs = file.hadoopPath().getFileSystem(conf);
    return Storage.of(fs) == Storage.LOCAL ? ofInode(file) : new FileState(file, 0, 0, fs);
  }

  private static FileState ofInode(ParquetFile file) throws IOException {
    Path path = Path.of(file.hadoopPath().toUri().getPath());
    Map<String, Object> inode = Files.readAttributes(path, "unix:ino,ctime");
    long number = (Long) Objects.requireNonNull(inode.get("ino"));
    FileTime changed = (FileTime) Objects.requireNonNull(inode.get("ctime"));
    return new FileState(file, number, changed.to(TimeUnit.NANOSECONDS), null);
  }

  /** Whether the file is on this machine. */
  public boolean isLocal() {
    return inode != 0;
  }

  /** The same state for all users. */
  public FileState forAllUsers() {
    return new FileState(file, inode, changedNanos, null);
  }

  /**
   * Whether it was written so long ago that a later write would leave it another time, also where
   * times are whole seconds.
   */
  public boolean isSettled() {
    long written = Math.max(file.modificationTime(), Duration.ofNanos(changedNanos).toMillis());
    return (file.modificationTime() == ParquetFile.NEVER_REWRITTEN && !isLocal())
        || System.currentTimeMillis() - written > SETTLED_AFTER.toMillis();
  }
}
