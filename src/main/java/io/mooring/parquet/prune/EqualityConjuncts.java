package io.mooring.parquet.prune;

import static java.util.stream.Collectors.toSet;

import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.filter2.predicate.Operators.SupportsEqNotEq;
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
      return left == null || right == null ? null : or(left, right);
    }
    return isEquality(predicate) ? predicate : null;
  }

  /** Spark says {@code IN} by alternatives of one value each; one list is looked for at once. */
  private static FilterPredicate or(FilterPredicate left, FilterPredicate right) {
    Operators.Column<?> column = column(left);
    return column != null && column.equals(column(right))
        ? oneOf(column, Stream.of(left, right).flatMap(it -> values(it).stream()).collect(toSet()))
        : FilterApi.or(left, right);
  }

  private static Operators.@Nullable Column<?> column(FilterPredicate predicate) {
    if (predicate instanceof Operators.Eq<?> eq) {
      return eq.getColumn();
    }
    return predicate instanceof Operators.In<?> in ? in.getColumn() : null;
  }

  private static Set<?> values(FilterPredicate equality) {
    return equality instanceof Operators.In<?> in
        ? in.getValues()
        : Set.of(((Operators.Eq<?>) equality).getValue());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Comparable<T>, C extends Operators.Column<T> & SupportsEqNotEq>
      FilterPredicate oneOf(Operators.Column<?> column, Set<?> values) {
    return FilterApi.in((C) column, (Set<T>) values);
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
