package io.mooring.parquet.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** The open files of one unit. Reads are thread-safe; who opened closes, after all reads. */
public final class UnitSources implements AutoCloseable {
  private final FileSequence files;
  private final List<@Nullable FileSource> sources;

  private UnitSources(FileSequence files) {
    this.files = files;
    this.sources = new ArrayList<>();
  }

  /**
   * Opens the files that ranges are read of.
   *
   * @param ranges of the sequence that are read
   * @param counts of requests to stores
   * @throws IOException when a file cannot be opened, or a local file has changed since it was
   *     listed; reading another changed file fails later
   */
  public static UnitSources open(
      FileSequence files, List<FileRange> ranges, Configuration conf, RequestCounts counts)
      throws IOException {
    UnitSources opened = new UnitSources(files);
    boolean[] read = new boolean[files.files().size()];
    ranges.forEach(range -> read[files.indexAt(range.offset())] = true);
    try {
      for (int i = 0; i < read.length; i++) {
        ParquetFile file = files.files().get(i);
        opened.sources.add(read[i] ? FileSource.open(file, conf, counts) : null);
      }
      return opened;
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  /** Whether small files were read whole for their footers, so that reading them is free. */
  public static boolean areOnHeap(List<ParquetFile> files) {
    return WholeFiles.shared().holdsAll(files);
  }

  /**
   * Reads a range, which lies in one file, to {@code address}.
   *
   * @throws IOException when the file cannot be read or ends before; it then names the file
   */
  public void readFully(FileRange range, long address) throws IOException {
    source(range).readFully(files.inFile(range).offset(), address, range.length());
  }

  /** Whether each read of a range is a request to a store. */
  public boolean byRequests(FileRange range) {
    return source(range).byRequests();
  }

  /** Whether a range comes from a store, even if an earlier request has read it. */
  public boolean isOfStore(FileRange range) {
    return source(range).isOfStore();
  }

  /** Bytes of a range that are best read by one thread at a time. */
  public long sliceBytes(FileRange range) {
    return source(range).sliceBytes();
  }

  /** Most bytes of a range that are put into one piece. */
  public long pieceBytes(FileRange range) {
    return source(range).pieceBytes();
  }

  /** Has reads of stores that are in progress fail as soon as they can, and later ones at once. */
  public void abort() {
    for (FileSource source : sources) {
      if (source != null) {
        source.abort();
      }
    }
  }

  private FileSource source(FileRange range) {
    FileSource source = sources.get(files.indexAt(range.offset()));
    if (source == null) {
      throw new IllegalStateException("A range of a file that the unit does not read: " + range);
    }
    return source;
  }

  @Override
  public void close() {
    for (FileSource source : sources) {
      if (source != null) {
        source.close();
      }
    }
    sources.clear();
  }
}
