package io.mooring.parquet.footer;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/** Footers that no cache has held. */
public final class Footers {
  private Footers() {}

  /** Reads the footer of a file. */
  public static Footer read(ParquetFile file) throws IOException, UnreadableOnGpuException {
    return FooterReader.read(file, ParquetFiles.CONF, RequestCounts.NONE, false);
  }

  /** Reads the footer of a file, with room for page indexes of so many bytes. */
  public static Footer read(ParquetFile file, long indexBytes)
      throws IOException, UnreadableOnGpuException {
    Footer read = read(file);
    return new Footer(
        read.thrift(),
        read.metadata(),
        read.middles(),
        new Footer.PageIndexCache(indexBytes),
        new ConcurrentHashMap<>());
  }
}
