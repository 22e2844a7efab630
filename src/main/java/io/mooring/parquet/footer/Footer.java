package io.mooring.parquet.footer;

import java.util.List;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * A file's footer: the Thrift bytes as written, and as parquet-mr parses them. Thread-safe.
 *
 * @param middles for each row group the file offset that assigns it to a split; ascending
 * @param pageIndexes page indexes that were read so far
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only handed to the decoder
public record Footer(
    byte[] thrift, ParquetMetadata metadata, long[] middles, PageIndexCache pageIndexes) {
  // The page indexes of the few columns that filters are on take up to twice the footer.
  private static final long INDEX_SHARE = 2;

  public Footer(byte[] thrift, ParquetMetadata metadata, long[] middles) {
    this(thrift, metadata, middles, new PageIndexCache(INDEX_SHARE * thrift.length));
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
}
