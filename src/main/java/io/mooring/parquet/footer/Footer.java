package io.mooring.parquet.footer;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * A file's footer: the Thrift bytes as written, and as parquet-mr parses them. Thread-safe.
 *
 * @param middles for each row group the file offset that assigns it to a split; ascending
 * @param pageIndexes page indexes that were read so far
 * @param dictionaryEntries numbers of entries of the dictionary pages that were read so far, by the
 *     offsets of their column chunks
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only handed to the decoder
public record Footer(
    byte[] thrift,
    ParquetMetadata metadata,
    long[] middles,
    PageIndexCache pageIndexes,
    ConcurrentMap<Long, Integer> dictionaryEntries) {
  // The page indexes of the few columns that filters are on take up to twice the footer.
  private static final long INDEX_SHARE = 2;

  public Footer(byte[] thrift, ParquetMetadata metadata, long[] middles) {
    this(
        thrift,
        metadata,
        middles,
        new PageIndexCache(INDEX_SHARE * thrift.length),
        new ConcurrentHashMap<>());
  }

  /** The same footer, possibly of other bytes: nothing else is known of the file. */
  Footer withoutPageIndexes() {
    return new Footer(thrift, metadata, middles);
  }

  public MessageType schema() {
    return metadata.getFileMetaData().getSchema();
  }

  public List<BlockMetaData> rowGroups() {
    return metadata.getBlocks();
  }

  /** A value of the footer's key-value metadata, or null. */
  public @Nullable String keyValue(String key) {
    return metadata.getFileMetaData().getKeyValueMetaData().get(key);
  }

  /** Page indexes that were read for the column chunks of one footer. Thread-safe. */
  public static final class PageIndexCache {
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

  /**
   * Both indexes of a column chunk's pages.
   *
   * @param columnIndex null when the pages' values cannot be compared
   */
  public record PageIndex(@Nullable ColumnIndex columnIndex, OffsetIndex offsetIndex) {}
}
