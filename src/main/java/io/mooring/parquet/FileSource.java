package io.mooring.parquet;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
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

  /** Opens a file: local ones by descriptor, others through Hadoop. */
  static FileSource open(ParquetFile file, Configuration conf) throws IOException {
    FileSystem fs = file.hadoopPath().getFileSystem(conf);
    boolean local = fs instanceof LocalFileSystem || fs instanceof RawLocalFileSystem;
    return local
        ? new LocalFileSource(file.hadoopPath().toUri().getPath())
        : new HadoopFileSource(fs.open(file.hadoopPath()));
  }
}
