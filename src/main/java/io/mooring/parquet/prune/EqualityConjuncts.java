package io.mooring.parquet.prune;

import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.jspecify.annotations.Nullable;

/**
 * The equality comparisons that a predicate implies. Dictionaries and Bloom filters are worth
 * reading for these alone.
 */
final class EqualityConjuncts {
  private EqualityConjuncts() {}

  /**
   * The implied comparisons as a predicate; null when there are none.
   *
   * @param predicate without {@code Not}
   */
  static @Nullable FilterPredicate of(FilterPredicate predicate) {
    if (predicate instanceof Operators.And and) {
      FilterPredicate left = of(and.getLeft());
      FilterPredicate right = of(and.getRight());
      return left == null || right == null
          ? (left == null ? right : left)
          : FilterApi.and(left, right);
    } else if (predicate instanceof Operators.Or or) {
      FilterPredicate left = of(or.getLeft());
      FilterPredicate right = of(or.getRight());
      return left == null || right == null ? null : FilterApi.or(left, right);
    }
    return isEquality(predicate) ? predicate : null;
  }

  private static boolean isEquality(FilterPredicate predicate) {
    if (predicate instanceof Operators.Eq<?> eq) {
      return eq.getValue() != null && isExact(eq.getColumn());
    }
    return predicate instanceof Operators.In<?> in
        && !in.getValues().contains(null)
        && isExact(in.getColumn());
  }

  /** Excludes floating point: in SQL -0.0 equals 0.0, in a dictionary or a hash it does not. */
  private static boolean isExact(Operators.Column<?> column) {
    return column.getColumnType() != Float.class && column.getColumnType() != Double.class;
  }
}
