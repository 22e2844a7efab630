package io.mooring.parquet.source;

import io.mooring.jni.FileJni;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Positional reads of one file into native memory. Thread-safe. */
interface FileSource extends AutoCloseable {
  /**
   * Reads exactly {@code bytes} bytes from {@code offset} to {@code address}.
   *
   * @throws IOException when the file cannot be read or ends before; it then names the file
   */
  void readFully(long offset, long address, long bytes) throws IOException;

  /** Whether each read is a request to a store, which takes time and keeps no core busy. */
  boolean byRequests();

  /** Whether the bytes come from a store, even if an earlier request has read them. */
  default boolean isOfStore() {
    return byRequests();
  }

  /** The best length of one read, where several threads read. */
  long sliceBytes();

  /** Most bytes that may wait together for the slowest of their slices. */
  long pieceBytes();

  /** Has reads of a store fail, as far as they can be stopped; other reads are short. */
  default void abort() {}

  @Override
  void close();

  /**
   * Opens a file: a local one at once by descriptor, others through Hadoop when they are first
   * read. Reading fails when it is no longer the file that was listed.
   *
   * @param counts of requests to stores
   * @throws IOException when it cannot be opened
   */
  static FileSource open(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    Path path = file.hadoopPath();
    FileSystem fs = ReadClients.of(path, conf);
    if (Storage.of(fs) != Storage.LOCAL) {
      byte[] whole = WholeFiles.shared().take(file);
      return whole == null
          ? HadoopFileSource.of(file, fs, counts)
          : new HeapSource(file.path(), whole);
    }
    return LocalFileSource.of(file, fs);
  }

  /**
   * A small file of a store whose bytes are on the heap.
   *
   * @param bytes of the whole file, which were taken
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record HeapSource(String path, byte[] bytes) implements FileSource {
    @Override
    public void readFully(long offset, long address, long length) throws IOException {
      if (offset + length > bytes.length) {
        throw new EOFException(path + " ends before byte " + (offset + length));
      }
      FileJni.view(address, length).put(bytes, (int) offset, (int) length);
    }

    @Override
    public boolean byRequests() {
      return false;
    }

    @Override
    public boolean isOfStore() {
      return true;
    }

    @Override
    public long sliceBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public long pieceBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public void close() {
      WholeFiles.shared().release(bytes.length);
    }
  }

  /** A local file, read by pread straight into the caller's memory. */
  final class LocalFileSource implements FileSource {
    // Bytes of a slice are still in the core's cache when their pages are verified.
    private static final long SLICE_BYTES = 2L << 20;

    private final String path;
    private final int descriptor;

    private LocalFileSource(String path) throws IOException {
      this.path = path;
      this.descriptor = FileJni.open(path);
    }

    /** Opens a file that is the listed one after it was opened, and so the one that is read. */
    static LocalFileSource of(ParquetFile file, FileSystem fs) throws IOException {
      LocalFileSource opened = new LocalFileSource(file.hadoopPath().toUri().getPath());
      try {
        file.statusIfUnchanged(fs);
        return opened;
      } catch (IOException | RuntimeException e) {
        opened.close();
        throw e;
      }
    }

    @Override
    public void readFully(long offset, long address, long bytes) throws IOException {
      long read = FileJni.read(descriptor, offset, address, bytes);
      if (read != bytes) {
        throw new EOFException(path + " ends " + (bytes - read) + " bytes before its footer says");
      }
    }

    @Override
    public boolean byRequests() {
      return false;
    }

    @Override
    public long sliceBytes() {
      return SLICE_BYTES;
    }

    @Override
    public long pieceBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public void close() {
      FileJni.close(descriptor);
    }
  }
}
