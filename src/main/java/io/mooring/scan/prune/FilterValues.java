package io.mooring.scan.prune;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.sources.Filter;
import scala.Product;

/** What a filter compares with, and whatever else stands in it. */
final class FilterValues {
  private FilterValues() {}

  static Stream<Object> of(Filter filter) {
    return in(filter);
  }

  private static Stream<Object> in(Object part) {
    if (part instanceof Object[] values) {
      return Arrays.stream(values).flatMap(FilterValues::in);
    } else if (part instanceof Product product) {
      return IntStream.range(0, product.productArity())
          .mapToObj(product::productElement)
          .flatMap(FilterValues::in);
    }
    return Stream.ofNullable(part);
  }
}
