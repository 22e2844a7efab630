package io.mooring.scan.prune;

import java.sql.Timestamp;
import java.time.Instant;
import org.apache.spark.sql.sources.Filter;

/**
 * Comparisons with times between two milliseconds: where a file has milliseconds Spark cuts them
 * off, which compares with another time.
 */
final class SubMillisecondFilters {
  private static final int NANOS_OF_MILLI = 1_000_000;

  private SubMillisecondFilters() {}

  /** Whether a filter compares with such a time. */
  static boolean compares(Filter filter) {
    return FilterValues.of(filter).anyMatch(SubMillisecondFilters::isBetween);
  }

  private static boolean isBetween(Object value) {
    if (value instanceof Timestamp time) {
      return time.getNanos() % NANOS_OF_MILLI != 0;
    }
    return value instanceof Instant time && time.getNano() % NANOS_OF_MILLI != 0;
  }
}
