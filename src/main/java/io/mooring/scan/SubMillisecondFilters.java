package io.mooring.scan;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.sources.Filter;
import scala.Product;

/**
 * Comparisons with times between two milliseconds: where a file has milliseconds Spark cuts them
 * off, which compares with another time.
 */
final class SubMillisecondFilters {
  private static final int NANOS_OF_MILLI = 1_000_000;

  private SubMillisecondFilters() {}

  /** Whether a filter compares with such a time. */
  static boolean compares(Filter filter) {
    return isOrHas(filter);
  }

  private static boolean isOrHas(Object part) {
    if (part instanceof Timestamp time) {
      return time.getNanos() % NANOS_OF_MILLI != 0;
    } else if (part instanceof Instant time) {
      return time.getNano() % NANOS_OF_MILLI != 0;
    } else if (part instanceof Object[] values) {
      return Arrays.stream(values).anyMatch(SubMillisecondFilters::isOrHas);
    }
    return part instanceof Product product
        && IntStream.range(0, product.productArity())
            .anyMatch(i -> isOrHas(product.productElement(i)));
  }
}
