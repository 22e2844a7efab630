package io.mooring.parquet.source;

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
   * @throws IOException when the file cannot be read or ends before; it then names the file
   */
  void readFully(long offset, long address, long bytes) throws IOException;

  /** Bytes that are best asked for at a time, where several threads read. */
  long sliceBytes();

  /** Bytes that may wait for the slowest of their slices. */
  long pieceBytes();

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
    // A footer that is not the file's would be decoded to nonsense.
    FileStatus now = file.statusIfUnchanged(fs);
    return isLocal(fs)
        ? new LocalFileSource(path.toUri().getPath())
        : HadoopFileSource.open(fs, path, now);
  }

  /** Exactly these: a class derived from them may keep other bytes than the file has. */
  static boolean isLocal(FileSystem fs) {
    return fs.getClass() == LocalFileSystem.class || fs.getClass() == RawLocalFileSystem.class;
  }
}
