package io.mooring.parquet.verify;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.jspecify.annotations.Nullable;

/** The damage found in a unit's pages, and where some of it is. Thread-safe. */
final class DamageTally {
  private final LongFunction<FilePlace> places;
  private final AtomicInteger wrongChecksums = new AtomicInteger();
  private final AtomicReference<@Nullable DamagedPagesException> header = new AtomicReference<>();
  private final AtomicReference<@Nullable Place> checksum = new AtomicReference<>();

  private record Place(ColumnPath column, long offset) {}

  /**
   * @param places where bytes are that are told of
   */
  DamageTally(LongFunction<FilePlace> places) {
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
    };
  }

  /**
   * Ends well where no damage was found.
   *
   * @throws DamagedPagesException naming one of the damaged files
   */
  void check() throws DamagedPagesException {
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
  }

  private DamagedPagesException damaged(String reason, Place place, String problem) {
    FilePlace found = places.apply(place.offset());
    String detail =
        String.format(
            "%s, in column %s at byte %d", problem, place.column().toDotString(), found.offset());
    return new DamagedPagesException(reason, found.path(), detail);
  }
}
