package io.mooring.parquet.verify;

import java.io.IOException;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/** What the data pages of a chunk hold together, beside what the footer says that they do. */
final class ChunkTotals {
  private final boolean flat;
  private final long bytes;
  private final long values;
  private final long rows;
  private final long nulls;
  private final boolean footerIsExact;
  private final EncodingStatsCheck encodings;
  private long bytesFound;
  private long valuesFound;
  private long rowsFound;
  private long nullsFound;
  private boolean rowsAreKnown = true;
  private boolean nullsAreKnown;

  /**
   * @param flat whether every row has one value
   * @param rows of the chunk
   * @param rowsSkipped how many of them, and so values, are in no page that will come
   * @param writer that made the file, as it says
   */
  ChunkTotals(
      ColumnChunkMetaData chunk, boolean flat, long rows, long rowsSkipped, @Nullable String writer) {
    this.flat = flat;
    this.bytes = chunk.getTotalUncompressedSize();
    this.values = chunk.getValueCount() - rowsSkipped;
    this.rows = rows - rowsSkipped;
    // Not all writers count headers, and nulls in the same way; this one does.
    this.footerIsExact = rowsSkipped == 0 && writer != null && writer.startsWith("parquet-mr version ");
    this.encodings = new EncodingStatsCheck(chunk, footerIsExact);
    Statistics<?> statistics = chunk.getStatistics();
    this.nullsAreKnown = footerIsExact && statistics != null && statistics.isNumNullsSet();
    this.nulls = nullsAreKnown ? statistics.getNumNulls() : 0;
  }

  /**
   * Takes a page into account.
   *
   * @throws IOException when there cannot be so much
   */
  void add(PageHeader page, int headerBytes) throws IOException {
    bytesFound += (long) page.uncompressedBytes() + (footerIsExact ? headerBytes : 0);
    require(bytesFound <= bytes, "its uncompressed size");
    if (!page.isDictionary()) {
      valuesFound += page.values();
      require(valuesFound <= values, "its number of values");
      // Pages of version 1 do not count rows, nor nulls.
      rowsAreKnown &= flat || page.isV2();
      nullsAreKnown &= page.isV2();
      rowsFound += page.isV2() ? page.rows() : page.values();
      nullsFound += page.nulls();
      encodings.add(page.encoding());
    }
  }

  /**
   * Looks at all that has come.
   *
   * @throws IOException when it is not what the footer says, with the reason
   */
  void end() throws IOException {
    encodings.end();
    require(valuesFound == values, "the values of all are not as many as the footer says");
    require(
        rowsAreKnown ? rowsFound == rows : rows <= values,
        "the rows of all are not as many as the footer says");
    require(
        bytesFound == bytes || !footerIsExact,
        "the uncompressed size of all is not what the footer says");
    require(
        nullsFound == nulls || !nullsAreKnown,
        "the nulls of all are not as many as the footer says");
  }

  private static void require(boolean holds, String what) throws IOException {
    if (!holds) {
      throw new IOException(what);
    }
  }
}
