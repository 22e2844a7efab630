package io.mooring.scan.prune;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.sources.Filter;
import scala.Product;

/**
 * Comparisons with values that a file's type cannot hold, as it may where a table's type was
 * widened: decimals of more digits, times between two milliseconds. Spark cuts them off, which
 * compares with another value, or throws.
 */
final class LossyFilters {
  private static final int NANOS_OF_MILLI = 1_000_000;

  private LossyFilters() {}

  /** Whether a filter compares with a decimal. */
  static boolean hasDecimal(Filter filter) {
    return digits(filter).findAny().isPresent();
  }

  /** Whether the columns that a filter names can hold its decimals in a file. */
  static boolean decimalsFit(Filter filter, MessageType schema) {
    if (hasDecimal(filter) && Arrays.stream(filter.references()).anyMatch(it -> it.contains("."))) {
      // A field of a struct, whose type is not searched.
      return false;
    }
    Set<String> columns = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    columns.addAll(Arrays.asList(filter.references()));
    int narrowest =
        schema.getFields().stream()
            .filter(column -> columns.contains(FileNames.inFilters(column.getName())))
            .map(column -> column.getLogicalTypeAnnotation())
            .filter(DecimalLogicalTypeAnnotation.class::isInstance)
            .mapToInt(type -> ((DecimalLogicalTypeAnnotation) type).getPrecision())
            .min()
            .orElse(Integer.MAX_VALUE);
    return digits(filter).allMatch(digits -> digits <= narrowest);
  }

  private static IntStream digits(Filter filter) {
    return values(filter)
        .filter(BigDecimal.class::isInstance)
        .mapToInt(value -> ((BigDecimal) value).precision());
  }

  /** Whether a filter compares with a time between two milliseconds. */
  static boolean hasSubMilliseconds(Filter filter) {
    return values(filter).anyMatch(LossyFilters::isBetween);
  }

  private static boolean isBetween(Object value) {
    if (value instanceof Timestamp time) {
      return time.getNanos() % NANOS_OF_MILLI != 0;
    }
    return value instanceof Instant time && time.getNano() % NANOS_OF_MILLI != 0;
  }

  /** All values in a filter, those that it compares with among them. */
  private static Stream<Object> values(Object part) {
    if (part instanceof Object[] values) {
      return Arrays.stream(values).flatMap(LossyFilters::values);
    } else if (part instanceof Product product) {
      return IntStream.range(0, product.productArity())
          .mapToObj(product::productElement)
          .flatMap(LossyFilters::values);
    }
    return Stream.ofNullable(part);
  }
}
