package io.mooring.parquet.source;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

/**
 * Opens streams of a file that is the one that was listed: its file system is asked once, and what
 * it says goes with each stream, so that a store with e-tags refuses another file's bytes.
 */
final class CheckedOpener implements FileStreams.Opener {
  private static final String READ_POLICY = "fs.option.openfile.read.policy";

  private final ParquetFile file;
  private final FileSystem fs;
  private @Nullable FileStatus status;

  CheckedOpener(ParquetFile file, FileSystem fs) {
    this.file = file;
    this.fs = fs;
  }

  @Override
  public FSDataInputStream open() throws IOException {
    return FutureIO.awaitFuture(
        fs.openFile(file.hadoopPath())
            .opt(READ_POLICY, "parquet, columnar, vector, random")
            .withFileStatus(status())
            .build());
  }

  /** A footer that is not the file's would be decoded to nonsense. */
  private synchronized FileStatus status() throws IOException {
    if (status == null) {
      status = file.statusIfUnchanged(fs);
    }
    return status;
  }
}
