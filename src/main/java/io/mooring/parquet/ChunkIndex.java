package io.mooring.parquet;

import java.io.IOException;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.jspecify.annotations.Nullable;

/**
 * Both indexes of a column chunk's pages.
 *
 * @param values null when the pages' values cannot be compared
 */
record ChunkIndex(@Nullable ColumnIndex values, OffsetIndex places) {
  /**
   * Reads them out of bytes that hold both.
   *
   * @throws IOException when they are damaged or do not fit each other
   */
  static ChunkIndex of(ColumnChunkMetaData chunk, PageIndexBytes bytes, long rows)
      throws IOException {
    OffsetIndex places = bytes.offsetIndex(chunk.getOffsetIndexReference());
    ColumnIndex values =
        bytes.columnIndex(chunk.getPrimitiveType(), chunk.getColumnIndexReference());
    if (!ChunkPages.areInOrder(places, rows)
        || (values != null && values.getNullPages().size() != places.getPageCount())) {
      throw new IOException("The page indexes of " + chunk.getPath() + " do not fit each other");
    }
    return new ChunkIndex(values, places);
  }
}
