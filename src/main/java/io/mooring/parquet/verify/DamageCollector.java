package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileSequence.FilePosition;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.jspecify.annotations.Nullable;

/** Collects a unit's pages that must not be decoded on the GPU. Thread-safe. */
final class DamageCollector {
  private final LongFunction<FilePosition> positions;
  private final AtomicInteger wrongChecksums = new AtomicInteger();
  private final AtomicReference<@Nullable DamagedPagesException> header = new AtomicReference<>();
  private final AtomicReference<@Nullable Page> checksum = new AtomicReference<>();
  private final AtomicReference<@Nullable UndecodablePagesException> compression =
      new AtomicReference<>();

  private record Page(ColumnPath column, long offset) {}

  /**
   * @param positions gives the file and offset of an address in the unit
   */
  DamageCollector(LongFunction<FilePosition> positions) {
    this.positions = positions;
  }

  /** Collects what is found in column chunks of one column. */
  OfColumn ofColumn(ColumnPath column) {
    return new OfColumn(column);
  }

  /** Collects pages of one column that must not be decoded on the GPU. Thread-safe. */
  final class OfColumn {
    private final ColumnPath column;

    private OfColumn(ColumnPath column) {
      this.column = column;
    }

    /** Adds a page whose header at a file offset, or what follows it, cannot be right. */
    void header(long offset, String problem) {
      Page page = new Page(column, offset);
      header.compareAndSet(
          null, damaged("a page header makes no sense", page, "a page header: " + problem));
    }

    /** Adds a page whose body at a file offset has other bytes than its checksum says. */
    void checksum(long offset) {
      wrongChecksums.incrementAndGet();
      checksum.compareAndSet(null, new Page(column, offset));
    }

    /** Adds a page whose body at a file offset is good, but compressed in an unusual way. */
    void compression(long offset, String problem) {
      FilePosition found = positions.apply(offset);
      String detail = detail(problem, column, found);
      compression.compareAndSet(null, new UndecodablePagesException(problem, found.path(), detail));
    }
  }

  /**
   * Returns if nothing was found.
   *
   * @throws UndecodablePagesException naming one of the files; damage comes first
   */
  void check() throws UndecodablePagesException {
    DamagedPagesException badHeader = header.get();
    if (badHeader != null) {
      throw badHeader;
    }
    Page page = checksum.get();
    if (page != null) {
      int pages = wrongChecksums.get();
      String what =
          pages == 1
              ? "1 page does not fit its checksum"
              : pages + " pages do not fit their checksums";
      throw damaged(what, page, what);
    }
    UndecodablePagesException otherwise = compression.get();
    if (otherwise != null) {
      throw otherwise;
    }
  }

  private DamagedPagesException damaged(String reason, Page page, String problem) {
    FilePosition found = positions.apply(page.offset());
    return new DamagedPagesException(reason, found.path(), detail(problem, page.column(), found));
  }

  private static String detail(String problem, ColumnPath column, FilePosition found) {
    return String.format(
        "%s, in column %s at byte %d", problem, column.toDotString(), found.offset());
  }
}
