package io.mooring.parquet.pageskip;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column chunk that skips pages: {@link PlaceholderPages} stand for them, so that it decodes to
 * as many rows.
 *
 * @param start the chunk's first byte in the file, which names it
 * @param parts its bytes, in order
 * @param pagesSkipped how many of its pages are not read
 * @param rowsSkipped how many rows the skipped pages have
 * @param dictionaryAdded bytes of the dictionary page at its beginning that is not in the file
 */
public record SparseColumnChunk(
    long start, List<Part> parts, int pagesSkipped, long rowsSkipped, int dictionaryAdded) {
  // A page of more rows would keep a single thread block of the decoder busy.
  private static final long MOST_ROWS = 1 << 20;
  // Stored pages are copied once more on the device, in small pieces: half has to be skipped.
  private static final int WORTHWHILE = 2;

  /** Some of the chunk's bytes. */
  public sealed interface Part {
    long length();
  }

  /** Pages of the file. */
  public record StoredPages(FileRange range) implements Part {
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
   * The chunk without the pages of which no row is selected; null where that saves too little.
   *
   * @throws IOException when its codec is missing
   */
  public static @Nullable SparseColumnChunk of(PageLayout pages, RowSelection selection)
      throws IOException {
    PlaceholderPages placeholders = PlaceholderPages.of(pages);
    Assembly parts = new Assembly();
    parts.fill(placeholders.dictionary());
    parts.keep(pages.dictionary());
    int pagesSkipped = 0;
    long rowsSkipped = 0;
    for (int page = 0; page < pages.count(); page++) {
      long rows = pages.endRow(page) - pages.firstRow(page);
      if (rows > MOST_ROWS || selection.any(pages.firstRow(page), pages.endRow(page))) {
        parts.keep(pages.bytes(page));
      } else {
        parts.fill(placeholders.page((int) rows));
        pagesSkipped++;
        rowsSkipped += rows;
      }
    }
    SparseColumnChunk sparse =
        new SparseColumnChunk(
            pages.chunk().getStartingPos(),
            parts.all(),
            pagesSkipped,
            rowsSkipped,
            placeholders.dictionary().length);
    long whole = pages.chunk().getTotalSize();
    boolean pays = sparse.readBytes() * WORTHWHILE <= whole && sparse.length() <= whole;
    return pays ? sparse : null;
  }

  /** Bytes of the chunk in the form in which it is decoded. */
  public long length() {
    return parts.stream().mapToLong(Part::length).sum();
  }

  /** The ranges of the file that it needs. */
  public List<FileRange> ranges() {
    return parts.stream()
        .filter(StoredPages.class::isInstance)
        .map(part -> ((StoredPages) part).range())
        .toList();
  }

  private long readBytes() {
    return FileRanges.totalBytes(ranges());
  }

  /** Puts parts one after the other; neighbours of one kind become one. */
  private static final class Assembly {
    private final List<Part> parts = new ArrayList<>();
    private final ByteArrayOutputStream placeholders = new ByteArrayOutputStream();

    /** Adds bytes of the file, at or after the end of those added before. */
    void keep(FileRange range) {
      if (range.length() == 0) {
        return;
      }
      endPlaceholders();
      int last = parts.size() - 1;
      if (last >= 0
          && parts.get(last) instanceof StoredPages before
          && before.range().end() == range.offset()) {
        long bytes = before.range().length() + range.length();
        parts.set(last, new StoredPages(new FileRange(before.range().offset(), bytes)));
      } else {
        parts.add(new StoredPages(range));
      }
    }

    /** Adds placeholder pages. */
    void fill(byte[] bytes) {
      placeholders.writeBytes(bytes);
    }

    private void endPlaceholders() {
      if (placeholders.size() > 0) {
        parts.add(new Placeholders(placeholders.toByteArray()));
        placeholders.reset();
      }
    }

    List<Part> all() {
      endPlaceholders();
      return List.copyOf(parts);
    }
  }
}
