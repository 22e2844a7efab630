package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer.PageIndex;
import io.mooring.parquet.pageskip.PageLayout;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.thrift.ThriftCheck;
import io.mooring.parquet.unit.ScanCounters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/** Page indexes of a file, read together because writers put them next to each other. */
final class PageIndexReader {
  // Reading the indexes of other columns in between takes less time than another read.
  private static final long MERGE_DISTANCE = 256 << 10;
  private static final long MOST_BYTES = 16L << 20;

  private final List<FileRange> ranges;
  private final List<byte[]> bytes = new ArrayList<>();

  private PageIndexReader(List<FileRange> ranges) {
    this.ranges = ranges;
  }

  /**
   * Reads the indexes that the references name.
   *
   * @throws IOException when the file cannot be read or is not the one that was listed, or when a
   *     reference lies outside the file
   */
  static PageIndexReader read(
      ParquetFile file, List<IndexReference> wanted, Configuration conf, ScanCounters counters)
      throws IOException {
    List<FileRange> single = new ArrayList<>();
    for (IndexReference reference : wanted) {
      single.add(checked(reference, file.length()));
    }
    PageIndexReader read = new PageIndexReader(FileRanges.merge(single, MERGE_DISTANCE));
    long total = FileRanges.totalBytes(read.ranges);
    if (total > MOST_BYTES) {
      throw new IOException("The page indexes of " + file.path() + " take " + total + " bytes");
    }
    try (FileBytes in = FileBytes.openUnchanged(file, conf, counters)) {
      for (FileRange range : read.ranges) {
        read.bytes.add(in.read(range.offset(), (int) range.length()));
      }
      if (in.byRequests()) {
        counters.needed(FileRanges.totalBytes(single));
      }
    }
    counters.add(ScanCounters.Counter.PAGE_INDEX_BYTES, total);
    return read;
  }

  /** Checks a length, which comes from the file, before memory is allocated for it. */
  private static FileRange checked(IndexReference reference, long fileLength) throws IOException {
    long start = reference.getOffset();
    int length = reference.getLength();
    if (start < 0 || length < 0 || start > fileLength - length) {
      throw new IOException("A page index lies outside the file");
    }
    return new FileRange(start, length);
  }

  /**
   * Both indexes of a chunk.
   *
   * @param rows of the row group
   * @throws IOException when they are damaged or do not fit each other
   */
  PageIndex index(ColumnChunkMetaData chunk, long rows) throws IOException {
    OffsetIndex offsets = offsetIndex(chunk.getOffsetIndexReference());
    ColumnIndex columnIndex =
        columnIndex(chunk.getPrimitiveType(), chunk.getColumnIndexReference());
    if (!PageLayout.isOrdered(offsets, rows)
        || (columnIndex != null && columnIndex.getNullPages().size() != offsets.getPageCount())) {
      throw new IOException("The page indexes of " + chunk.getPath() + " do not fit each other");
    }
    return new PageIndex(columnIndex, offsets);
  }

  /** The column index of a chunk; null when its values cannot be compared. */
  private @Nullable ColumnIndex columnIndex(PrimitiveType type, IndexReference reference)
      throws IOException {
    return ParquetMetadataConverter.fromParquetColumnIndex(
        type, Util.readColumnIndex(struct(reference)));
  }

  /**
   * The offset index of a chunk.
   *
   * @throws IOException when the bytes are damaged
   */
  OffsetIndex offsetIndex(IndexReference reference) throws IOException {
    return ParquetMetadataConverter.fromParquetOffsetIndex(Util.readOffsetIndex(struct(reference)));
  }

  private ByteArrayInputStream struct(IndexReference reference) throws IOException {
    for (int i = 0; i < ranges.size(); i++) {
      FileRange range = ranges.get(i);
      if (range.contains(reference.getOffset(), reference.getLength())) {
        int from = (int) (reference.getOffset() - range.offset());
        byte[] own = Arrays.copyOfRange(bytes.get(i), from, from + reference.getLength());
        ThriftCheck.check(own);
        return new ByteArrayInputStream(own);
      }
    }
    throw new IllegalStateException("A page index that was not asked for");
  }
}
