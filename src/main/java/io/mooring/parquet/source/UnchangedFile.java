package io.mooring.parquet.source;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read only as long as it has not changed since it was listed, or since its footer
 * was read. Its status is requested once, for all streams. Thread-safe.
 */
public final class UnchangedFile {
  private final ParquetFile file;
  private final FileOpener opener;
  private final RequestCounts counts;

  /**
   * @throws IOException when the file system is not known
   */
  public UnchangedFile(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException {
    this.file = file;
    this.opener = FileBytes.opener(file, conf, counts);
    this.counts = counts;
  }

  public ParquetFile file() {
    return file;
  }

  /** Whether each read is a request to a store, of which several take no longer than one. */
  public boolean byRequests() {
    return opener.byRequests() && whole() == null;
  }

  /**
   * Opens a stream, which belongs to one thread; or the bytes of the file, if it was read whole for
   * its footer.
   *
   * @throws IOException when the file cannot be opened, or has changed
   */
  public FileBytes open() throws IOException {
    byte[] whole = whole();
    return whole == null ? FileBytes.of(opener, opener.open(), counts) : FileBytes.of(whole);
  }

  private byte @Nullable [] whole() {
    return WholeFiles.shared().find(file);
  }
}
