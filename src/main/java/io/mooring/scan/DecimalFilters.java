package io.mooring.scan;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.sources.Filter;
import scala.Product;

/**
 * Comparisons with decimals that a file's type cannot hold, as it may where a table's type was
 * widened: Spark cuts them off, which compares with another value, or throws.
 */
final class DecimalFilters {
  private DecimalFilters() {}

  /** Whether a filter compares with a decimal. */
  static boolean compares(Filter filter) {
    return digits(filter).findAny().isPresent();
  }

  /** Whether every decimal column of a file can hold every decimal of the filters. */
  static boolean fit(Iterable<Filter> filters, MessageType schema) {
    int narrowest =
        schema.getFields().stream()
            .map(column -> column.getLogicalTypeAnnotation())
            .filter(DecimalLogicalTypeAnnotation.class::isInstance)
            .mapToInt(type -> ((DecimalLogicalTypeAnnotation) type).getPrecision())
            .min()
            .orElse(Integer.MAX_VALUE);
    for (Filter filter : filters) {
      if (digits(filter).anyMatch(digits -> digits > narrowest)) {
        return false;
      }
    }
    return true;
  }

  private static IntStream digits(Object part) {
    if (part instanceof BigDecimal decimal) {
      return IntStream.of(decimal.precision());
    } else if (part instanceof Object[] values) {
      return Arrays.stream(values).flatMapToInt(DecimalFilters::digits);
    } else if (part instanceof Product product) {
      return Stream.iterate(0, i -> i < product.productArity(), i -> i + 1)
          .flatMapToInt(i -> digits(product.productElement(i)));
    }
    return IntStream.empty();
  }
}
