package io.mooring.scan;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.internal.connector.PredicateUtils;
import org.apache.spark.sql.sources.Filter;

/** Predicates in the form by which Spark's reader skips row groups. */
final class ReaderFilters {
  private ReaderFilters() {}

  /** Those that can be converted as a whole; rows are checked again by whoever owns the filter. */
  static List<Filter> of(List<Predicate> predicates) {
    Predicate[] whole =
        predicates.stream().filter(ReaderFilters::isWhole).toArray(Predicate[]::new);
    return List.of(PredicateUtils.toV1(whole));
  }

  /**
   * Of an OR with one side that it cannot convert Spark keeps the other side, which is too much.
   */
  private static boolean isWhole(Predicate predicate) {
    return switch (predicate.name()) {
      case "AND", "OR", "NOT" ->
          Arrays.stream(predicate.children())
              .allMatch(child -> child instanceof Predicate part && isWhole(part));
      default -> PredicateUtils.toV1(predicate).isDefined();
    };
  }
}
