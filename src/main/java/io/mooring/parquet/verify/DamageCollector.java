package io.mooring.parquet.verify;

import io.mooring.parquet.source.FilePosition;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.jspecify.annotations.Nullable;

/** What keeps a unit's pages from the GPU, and where some of it is. Thread-safe. */
final class DamageCollector {
  private final LongFunction<FilePosition> places;
  private final AtomicInteger wrongChecksums = new AtomicInteger();
  private final AtomicReference<@Nullable DamagedPagesException> header = new AtomicReference<>();
  private final AtomicReference<@Nullable Place> checksum = new AtomicReference<>();
  private final AtomicReference<@Nullable UndecodablePagesException> compression =
      new AtomicReference<>();

  private record Place(ColumnPath column, long offset) {}

  /**
   * @param places where bytes are that are told of
   */
  DamageCollector(LongFunction<FilePosition> places) {
    this.places = places;
  }

  /** Takes what is found in chunks of a column. */
  DamageReport of(ColumnPath column) {
    return new DamageReport() {
      @Override
      public void header(long offset, String problem) {
        Place place = new Place(column, offset);
        header.compareAndSet(
            null, damaged("a page header makes no sense", place, "a page header: " + problem));
      }

      @Override
      public void checksum(long offset) {
        wrongChecksums.incrementAndGet();
        checksum.compareAndSet(null, new Place(column, offset));
      }

      @Override
      public void compression(long offset, String problem) {
        FilePosition found = places.apply(offset);
        String detail = detail(problem, column, found);
        compression.compareAndSet(
            null, new UndecodablePagesException(problem, found.path(), detail));
      }
    };
  }

  /**
   * Ends well where nothing was found.
   *
   * @throws UndecodablePagesException naming one of the files; of damage before all else
   */
  void check() throws UndecodablePagesException {
    DamagedPagesException badHeader = header.get();
    if (badHeader != null) {
      throw badHeader;
    }
    Place place = checksum.get();
    if (place != null) {
      int pages = wrongChecksums.get();
      String what =
          pages == 1
              ? "1 page does not fit its checksum"
              : pages + " pages do not fit their checksums";
      throw damaged(what, place, what);
    }
    UndecodablePagesException otherwise = compression.get();
    if (otherwise != null) {
      throw otherwise;
    }
  }

  private DamagedPagesException damaged(String reason, Place place, String problem) {
    FilePosition found = places.apply(place.offset());
    return new DamagedPagesException(reason, found.path(), detail(problem, place.column(), found));
  }

  private static String detail(String problem, ColumnPath column, FilePosition found) {
    return String.format(
        "%s, in column %s at byte %d", problem, column.toDotString(), found.offset());
  }
}
