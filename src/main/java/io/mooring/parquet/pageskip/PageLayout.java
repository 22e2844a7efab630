package io.mooring.parquet.pageskip;

import io.mooring.parquet.source.FileRange;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.jspecify.annotations.Nullable;

/** The data pages of a column chunk: which bytes they take and which of its rows they hold. */
public final class PageLayout {
  // The length of an offset index with one page; with two pages it is longer, unless they are tiny.
  private static final int MOST_BYTES_OF_ONE = 24;

  private final ColumnChunkMetaData chunk;
  private final OffsetIndex offsetIndex;
  private final long rows;

  private PageLayout(ColumnChunkMetaData chunk, OffsetIndex offsetIndex, long rows) {
    this.chunk = chunk;
    this.offsetIndex = offsetIndex;
    this.rows = rows;
  }

  /** Whether a chunk has an index of more than one page, judged by the index's length alone. */
  public static boolean hasSeveralPages(ColumnChunkMetaData chunk) {
    return chunk.getOffsetIndexReference() != null
        && chunk.getOffsetIndexReference().getLength() > MOST_BYTES_OF_ONE;
  }

  /** Whether every page has rows, and the pages have all rows of the row group. */
  public static boolean isOrdered(OffsetIndex offsetIndex, long rows) {
    int pages = offsetIndex.getPageCount();
    if (pages == 0 || offsetIndex.getFirstRowIndex(0) != 0) {
      return false;
    }
    for (int i = 1; i < pages; i++) {
      if (offsetIndex.getFirstRowIndex(i) <= offsetIndex.getFirstRowIndex(i - 1)) {
        return false;
      }
    }
    return offsetIndex.getFirstRowIndex(pages - 1) < rows;
  }

  /**
   * The pages of a chunk; null unless they fill it without gaps, with at most a dictionary before
   * them.
   *
   * @param rows of the row group
   */
  public static @Nullable PageLayout of(
      ColumnChunkMetaData chunk, OffsetIndex offsetIndex, long rows) {
    if (!isOrdered(offsetIndex, rows)) {
      return null;
    }
    long next = chunk.getFirstDataPageOffset();
    for (int i = 0; i < offsetIndex.getPageCount(); i++) {
      if (offsetIndex.getOffset(i) != next || offsetIndex.getCompressedPageSize(i) <= 0) {
        return null;
      }
      next += offsetIndex.getCompressedPageSize(i);
    }
    boolean filled =
        next == chunk.getStartingPos() + chunk.getTotalSize()
            && chunk.getStartingPos() <= chunk.getFirstDataPageOffset();
    return filled ? new PageLayout(chunk, offsetIndex, rows) : null;
  }

  ColumnChunkMetaData chunk() {
    return chunk;
  }

  int count() {
    return offsetIndex.getPageCount();
  }

  /** The page's bytes with its header. */
  FileRange bytes(int page) {
    return new FileRange(offsetIndex.getOffset(page), offsetIndex.getCompressedPageSize(page));
  }

  /** The bytes before the first data page: the dictionary page, or none. */
  FileRange dictionary() {
    return new FileRange(
        chunk.getStartingPos(), chunk.getFirstDataPageOffset() - chunk.getStartingPos());
  }

  /** The first rows of all pages. */
  public LongStream firstRows() {
    return IntStream.range(0, count()).mapToLong(this::firstRow);
  }

  /** The page's first row in the row group. */
  long firstRow(int page) {
    return offsetIndex.getFirstRowIndex(page);
  }

  /** The row after the page's last row. */
  long endRow(int page) {
    return page + 1 < count() ? offsetIndex.getFirstRowIndex(page + 1) : rows;
  }
}
