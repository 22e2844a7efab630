package io.mooring.parquet.verify;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/** Compares what the pages of a column chunk hold together with what the footer says. */
final class ChunkTotals {
  private final boolean flat;
  private final long bytes;
  private final long values;
  private final long rows;
  private final long nulls;
  private final boolean footerIsExact;
  private final @Nullable EncodingStats encodingStats;
  private final Map<Encoding, Integer> pagesByEncoding = new EnumMap<>(Encoding.class);
  private long bytesFound;
  private long valuesFound;
  private long rowsFound;
  private long nullsFound;
  private boolean rowsAreKnown = true;
  private boolean nullsAreKnown;

  /**
   * @param flat whether every row has one value
   * @param rows of the chunk
   * @param rowsSkipped how many of them, and so values, are in skipped pages
   * @param writer of the file, as the footer names it; null if it does not
   */
  ChunkTotals(
      ColumnChunkMetaData chunk,
      boolean flat,
      long rows,
      long rowsSkipped,
      @Nullable String writer) {
    this.flat = flat;
    this.bytes = chunk.getTotalUncompressedSize();
    this.values = chunk.getValueCount() - rowsSkipped;
    this.rows = rows - rowsSkipped;
    // Not all writers count headers, or nulls, in the same way; parquet-mr does.
    this.footerIsExact =
        rowsSkipped == 0 && writer != null && writer.startsWith("parquet-mr version ");
    this.encodingStats = footerIsExact ? chunk.getEncodingStats() : null;
    Statistics<?> statistics = chunk.getStatistics();
    this.nullsAreKnown = footerIsExact && statistics != null && statistics.isNumNullsSet();
    this.nulls = nullsAreKnown ? statistics.getNumNulls() : 0;
  }

  /**
   * Adds a page.
   *
   * @throws IOException when there is more than the footer says
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
      pagesByEncoding.merge(page.encoding(), 1, Integer::sum);
    }
  }

  /**
   * Checks the totals after the last page.
   *
   * @throws IOException when they are not what the footer says, with the reason
   */
  void end() throws IOException {
    checkEncodings();
    require(valuesFound == values, "the pages have another number of values than the footer says");
    require(
        rowsAreKnown ? rowsFound == rows : rows <= values,
        "the pages have another number of rows than the footer says");
    require(
        bytesFound == bytes || !footerIsExact,
        "the pages have another uncompressed size than the footer says");
    require(
        nullsFound == nulls || !nullsAreKnown,
        "the pages have another number of nulls than the footer says");
  }

  private void checkEncodings() throws IOException {
    for (var entry : pagesByEncoding.entrySet()) {
      var encoding = org.apache.parquet.column.Encoding.valueOf(entry.getKey().name());
      require(
          encodingStats == null
              || encodingStats.getNumDataPagesEncodedAs(encoding) == entry.getValue(),
          "the pages have other encodings than the footer says");
    }
  }

  private static void require(boolean holds, String what) throws IOException {
    if (!holds) {
      throw new IOException(what);
    }
  }
}
