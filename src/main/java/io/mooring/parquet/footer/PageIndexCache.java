package io.mooring.parquet.footer;

import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/** Page indexes that were read for the column chunks of one footer. Thread-safe. */
public final class PageIndexCache {
  private final long mostBytes;
  private final Map<ColumnChunkMetaData, PageIndex> indexes = new IdentityHashMap<>();
  private long bytes;

  /**
   * @param mostBytes most encoded bytes of all indexes together
   */
  PageIndexCache(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** The page index of a chunk; null where it is not cached. */
  public synchronized @Nullable PageIndex get(ColumnChunkMetaData chunk) {
    return indexes.get(chunk);
  }

  /** Caches an index if there is room. */
  public synchronized void put(ColumnChunkMetaData chunk, PageIndex index) {
    long more =
        (long) chunk.getColumnIndexReference().getLength()
            + chunk.getOffsetIndexReference().getLength();
    if (bytes + more <= mostBytes && indexes.putIfAbsent(chunk, index) == null) {
      bytes += more;
    }
  }
}
