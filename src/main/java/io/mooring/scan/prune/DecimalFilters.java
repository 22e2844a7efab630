package io.mooring.scan.prune;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.sources.Filter;

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

  /** Whether the columns of a file that a filter speaks of can hold its decimals. */
  static boolean fits(Filter filter, MessageType schema) {
    if (compares(filter) && Arrays.stream(filter.references()).anyMatch(it -> it.contains("."))) {
      // Within a struct: not looked for.
      return false;
    }
    Set<String> columns = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    columns.addAll(Arrays.asList(filter.references()));
    int narrowest =
        schema.getFields().stream()
            .filter(column -> columns.contains(column.getName()))
            .map(column -> column.getLogicalTypeAnnotation())
            .filter(DecimalLogicalTypeAnnotation.class::isInstance)
            .mapToInt(type -> ((DecimalLogicalTypeAnnotation) type).getPrecision())
            .min()
            .orElse(Integer.MAX_VALUE);
    return digits(filter).allMatch(digits -> digits <= narrowest);
  }

  private static IntStream digits(Filter filter) {
    return FilterValues.of(filter)
        .filter(BigDecimal.class::isInstance)
        .mapToInt(value -> ((BigDecimal) value).precision());
  }
}
