package io.mooring.parquet.pageskip;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column chunk of which not all pages are read: {@link PlaceholderPages} stand for the others, so that
 * it decodes to as many rows.
 *
 * @param start the chunk's first byte in the file, which names it
 * @param parts what it is made of, in order
 * @param pagesSkipped how many of its pages are not read
 * @param rowsSkipped how many rows those have
 * @param dictionaryAdded bytes of a dictionary that it begins with and that is not in the file
 */
public record SparseColumnChunk(
    long start, List<Part> parts, int pagesSkipped, long rowsSkipped, int dictionaryAdded) {
  // A page of many rows would keep a single block of the decoder busy.
  private static final long MOST_ROWS = 1 << 20;
  // What is kept is copied once more on the device, in small pieces.
  private static final int WORTHWHILE = 2;

  /** Some of the chunk's bytes. */
  public sealed interface Part {
    long length();
  }

  /** Bytes of the file. */
  public record Kept(FileRange range) implements Part {
    @Override
    public long length() {
      return range.length();
    }
  }

  /** Pages that are not in the file. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Placeholders(byte[] pages) implements Part {
    @Override
    public long length() {
      return pages.length;
    }
  }

  /**
   * The chunk without the pages in which no row is wanted; null where nothing is gained by it.
   *
   * @throws IOException when its codec is not there
   */
  public static @Nullable SparseColumnChunk of(PageLayout pages, RowSelection wanted) throws IOException {
    PlaceholderPages placeholders = PlaceholderPages.of(pages);
    SparseChunkParts parts = new SparseChunkParts();
    parts.fill(placeholders.dictionary());
    parts.keep(pages.dictionary());
    int left = 0;
    long rowsSkipped = 0;
    for (int page = 0; page < pages.count(); page++) {
      long rows = pages.endRow(page) - pages.firstRow(page);
      if (rows > MOST_ROWS || wanted.any(pages.firstRow(page), pages.endRow(page))) {
        parts.keep(pages.bytes(page));
      } else {
        parts.fill(placeholders.page((int) rows));
        left++;
        rowsSkipped += rows;
      }
    }
    SparseColumnChunk sparse =
        new SparseColumnChunk(
            pages.chunk().getStartingPos(),
            parts.all(),
            left,
            rowsSkipped,
            placeholders.dictionary().length);
    long whole = pages.chunk().getTotalSize();
    boolean pays = sparse.readBytes() * WORTHWHILE <= whole && sparse.length() <= whole;
    return pays ? sparse : null;
  }

  /** Bytes of the chunk as it is decoded. */
  public long length() {
    return parts.stream().mapToLong(Part::length).sum();
  }

  /** The bytes of the file that it needs. */
  public List<FileRange> ranges() {
    return parts.stream()
        .filter(Kept.class::isInstance)
        .map(part -> ((Kept) part).range())
        .toList();
  }

  private long readBytes() {
    return FileRanges.totalBytes(ranges());
  }
}
