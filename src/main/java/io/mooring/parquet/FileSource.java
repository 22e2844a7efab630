package io.mooring.parquet;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Positional reads of one file into native memory. Thread-safe. */
interface FileSource extends AutoCloseable {
  /**
   * Reads exactly {@code bytes} bytes from {@code offset} to {@code address}.
   *
   * @throws IOException when the file cannot be read or ends before
   */
  void readFully(long offset, long address, long bytes) throws IOException;

  @Override
  void close();

  /**
   * Opens a file: local ones by descriptor, others through Hadoop.
   *
   * @throws IOException when it cannot be opened, or is not the file that was listed any more
   */
  static FileSource open(ParquetFile file, Configuration conf) throws IOException {
    Path path = file.hadoopPath();
    FileSystem fs = path.getFileSystem(conf);
    if (!(fs instanceof LocalFileSystem) && !(fs instanceof RawLocalFileSystem)) {
      return new HadoopFileSource(fs.open(path));
    }
    // Asking costs nothing here, and a footer that is not the file's would be decoded to nonsense.
    FileStatus now = fs.getFileStatus(path);
    if (now.getLen() != file.length() || now.getModificationTime() != file.modificationTime()) {
      throw new IOException(path + " was written again after it was listed");
    }
    return new LocalFileSource(path.toUri().getPath());
  }
}
