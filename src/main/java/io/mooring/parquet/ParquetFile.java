package io.mooring.parquet;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
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
   * What the file system says of it.
   *
   * @throws IOException when it is not the listed file any more
   */
  FileStatus statusIfUnchanged(Configuration conf) throws IOException {
    FileStatus now = hadoopPath().getFileSystem(conf).getFileStatus(hadoopPath());
    if (now.getLen() != length || now.getModificationTime() != modificationTime) {
      throw new IOException(path + " was written again after it was listed");
    }
    return now;
  }
}
