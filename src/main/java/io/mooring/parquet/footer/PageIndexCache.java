package io.mooring.parquet.footer;

import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/** Page indexes that were read for the chunks of one footer, kept as long as it is. Thread-safe. */
public final class PageIndexCache {
  private final long mostBytes;
  private final Map<ColumnChunkMetaData, PageIndex> indexes = new IdentityHashMap<>();
  private long bytes;

  /**
   * @param mostBytes that they may take together, as they are written
   */
  PageIndexCache(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Those of a chunk, null where they are not kept. */
  public synchronized @Nullable PageIndex of(ColumnChunkMetaData chunk) {
    return indexes.get(chunk);
  }

  /** Keeps it where there is room. */
  public synchronized void keep(ColumnChunkMetaData chunk, PageIndex index) {
    long more =
        (long) chunk.getColumnIndexReference().getLength()
            + chunk.getOffsetIndexReference().getLength();
    if (bytes + more <= mostBytes && indexes.putIfAbsent(chunk, index) == null) {
      bytes += more;
    }
  }
}
