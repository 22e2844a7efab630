package io.mooring.parquet.source;

import io.mooring.parquet.source.RequestCounts.StoreRequest;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/** Reads small parts of a file into arrays: footers, indexes, headers. Belongs to one thread. */
public final class FileBytes implements AutoCloseable {
  private final FileOpener opener;
  private final FSDataInputStream in;
  private final RequestCounts counts;

  FileBytes(FileOpener opener, FSDataInputStream in, RequestCounts counts) {
    this.opener = opener;
    this.in = in;
    this.counts = counts;
  }

  /**
   * Opens the current state of a file.
   *
   * @throws IOException when it cannot be opened
   */
  public static FileBytes open(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    FileOpener opener = opener(file, conf, counts);
    return new FileBytes(opener, opener.openUnchecked(), counts);
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

  /** Whether each read is a request to a store. */
  public boolean byRequests() {
    return opener.byRequests();
  }

  /**
   * Reads {@code length} bytes from {@code offset}.
   *
   * @throws IOException when they cannot be read, or the file ends before
   */
  public byte[] read(long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    if (byRequests()) {
      try (StoreRequest request = StoreRequest.begin(counts, length)) {
        in.readFully(offset, bytes);
      }
    } else {
      in.readFully(offset, bytes);
    }
    return bytes;
  }

  /**
   * Reads all of a small file in a store, and holds the bytes for the unit that needs them.
   *
   * @return the bytes, not to be changed; null where the file is not small or not in a store, or
   *     where too many bytes are held
   * @throws IOException when it cannot be read
   */
  public byte @Nullable [] readWhole() throws IOException {
    ParquetFile file = opener.file();
    return byRequests()
        ? WholeFiles.shared()
            .read(file, opener.fileSystem(), () -> read(0, Math.toIntExact(file.length())))
        : null;
  }

  @Override
  public void close() {
    opener.done(in);
  }
}
