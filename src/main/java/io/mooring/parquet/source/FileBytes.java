package io.mooring.parquet.source;

import io.mooring.parquet.source.RequestCounts.StoreRequest;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/** Reads small parts of a file into arrays: footers, indexes, headers. Belongs to one thread. */
public final class FileBytes implements AutoCloseable {
  private final Positioned bytes;
  private final boolean byRequests;
  private final RequestCounts counts;
  private final Runnable close;

  /** Reads at any position. */
  private interface Positioned {
    void readFully(long offset, byte[] to) throws IOException;
  }

  private FileBytes(Positioned bytes, boolean byRequests, RequestCounts counts, Runnable close) {
    this.bytes = bytes;
    this.byRequests = byRequests;
    this.counts = counts;
    this.close = close;
  }

  /** Reads a stream. */
  static FileBytes of(FileOpener opener, FSDataInputStream in, RequestCounts counts) {
    return new FileBytes(in::readFully, opener.byRequests(), counts, () -> opener.done(in));
  }

  /** Reads a small file whose bytes are on the heap. */
  static FileBytes of(byte[] whole) {
    Positioned heap = (offset, to) -> copy(whole, offset, to);
    return new FileBytes(heap, false, RequestCounts.NONE, () -> {});
  }

  /**
   * Opens the current state of a file.
   *
   * @throws IOException when it cannot be opened
   */
  public static FileBytes open(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    FileOpener opener = opener(file, conf, counts);
    return of(opener, opener.openUnchecked(), counts);
  }

  /**
   * Opens a file that has not changed since it was listed, or since its footer was read.
   *
   * @throws IOException when it cannot be opened, or has changed
   */
  public static FileBytes openUnchanged(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    return new UnchangedFile(file, conf, counts).open();
  }

  static FileOpener opener(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    return new FileOpener(file, ReadClients.of(file.hadoopPath(), conf), counts);
  }

  /** Whether {@link #whole} may read a file, if it is in a store. */
  public static boolean isSmall(ParquetFile file) {
    return file.length() <= WholeFiles.MOST_FILE_BYTES;
  }

  /**
   * Reads all of a small file in a store in its current state, and holds the bytes for the unit
   * that needs them.
   *
   * @return the bytes, not to be changed; null where the file is not small or not in a store, or
   *     where too many bytes are held
   * @throws IOException when it cannot be read
   */
  public static byte @Nullable [] whole(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    FileOpener opener = opener(file, conf, counts);
    return opener.byRequests() ? WholeFiles.shared().read(file, () -> whole(opener, counts)) : null;
  }

  /** Nobody needs the stream again, and to reset it costs S3A as much as to close it. */
  private static byte[] whole(FileOpener opener, RequestCounts counts) throws IOException {
    FSDataInputStream in = opener.openUnchecked();
    try (FileBytes all = new FileBytes(in::readFully, true, counts, () -> IdleStreams.close(in))) {
      return all.read(0, Math.toIntExact(opener.file().length()));
    }
  }

  /** Whether each read is a request to a store. */
  public boolean byRequests() {
    return byRequests;
  }

  /**
   * Reads {@code length} bytes from {@code offset}.
   *
   * @throws IOException when they cannot be read, or the file ends before
   */
  public byte[] read(long offset, int length) throws IOException {
    byte[] read = new byte[length];
    if (byRequests) {
      try (StoreRequest request = StoreRequest.begin(counts, length)) {
        bytes.readFully(offset, read);
      }
    } else {
      bytes.readFully(offset, read);
    }
    return read;
  }

  private static void copy(byte[] whole, long offset, byte[] to) throws IOException {
    if (offset + to.length > whole.length) {
      throw new EOFException("The file ends before byte " + (offset + to.length));
    }
    System.arraycopy(whole, (int) offset, to, 0, to.length);
  }

  @Override
  public void close() {
    close.run();
  }
}
