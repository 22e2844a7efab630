package io.mooring.scan.prune;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.internal.connector.PredicateUtils;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThanOrEqual;
import scala.jdk.javaapi.OptionConverters;

/**
 * Translates pushed predicates to filters of Spark's first data source API. Spark's own translation
 * is for single comparisons only: where one side of an {@code OR} has no filter, it keeps the other
 * side alone and so loses rows.
 */
final class V1Filters {
  private V1Filters() {}

  /** A filter that is true wherever the predicate is, if there is one. */
  static Optional<Filter> of(Predicate predicate) {
    return translate(predicate, true);
  }

  /**
   * @param weaker whether the filter may be true where the predicate is not
   */
  private static Optional<Filter> translate(Predicate predicate, boolean weaker) {
    if (predicate instanceof And and) {
      Optional<Filter> left = translate(and.left(), weaker);
      Optional<Filter> right = translate(and.right(), weaker);
      Optional<Filter> both = joined(left, right);
      return both.isPresent() || !weaker ? both : left.or(() -> right);
    } else if (predicate instanceof Or or) {
      Optional<Filter> left = translate(or.left(), weaker);
      return left.flatMap(
          l -> translate(or.right(), weaker).map(r -> new org.apache.spark.sql.sources.Or(l, r)));
    } else if (predicate instanceof Not not) {
      return translate(not.child(), false).map(org.apache.spark.sql.sources.Not::new);
    }
    return OptionConverters.toJava(PredicateUtils.toV1(predicate))
        .map(V1Filters::widestFirst)
        .flatMap(SignedZeroRewrite::of);
  }

  /**
   * A list with a value outside of {@code int} first, if it has one. Spark looks at the first value
   * to see whether the type of a file holds all of them, and cuts the others off: {@code NOT IN}
   * would then rule out rows with what is left of a value.
   */
  private static Filter widestFirst(Filter filter) {
    if (!(filter instanceof In in)) {
      return filter;
    }
    Object[] values = in.values().clone();
    Arrays.sort(values, Comparator.comparing(V1Filters::fitsInt));
    return new In(in.attribute(), values);
  }

  private static boolean fitsInt(Object value) {
    return !(value instanceof Long number) || number == number.intValue();
  }

  private static Optional<Filter> joined(Optional<Filter> left, Optional<Filter> right) {
    return left.flatMap(l -> right.map(r -> new org.apache.spark.sql.sources.And(l, r)));
  }

  /**
   * Comparisons with a floating point zero as parquet-mr understands them: in SQL -0.0 equals 0.0,
   * in its dictionaries, hashes and order -0.0 is less.
   */
  private static final class SignedZeroRewrite {
    private SignedZeroRewrite() {}

    /** A filter with the same meaning for both zeros, or none when there is no such filter. */
    static Optional<Filter> of(Filter filter) {
      if (filter instanceof EqualTo equal && isZero(equal.value())) {
        return Optional.of(isEitherZero(equal.attribute(), equal.value()));
      } else if (filter instanceof GreaterThanOrEqual least && isZero(least.value())) {
        return Optional.of(new GreaterThanOrEqual(least.attribute(), signed(least.value(), true)));
      } else if (filter instanceof LessThanOrEqual most && isZero(most.value())) {
        return Optional.of(new LessThanOrEqual(most.attribute(), signed(most.value(), false)));
      } else if (filter instanceof In in
          && Arrays.stream(in.values()).anyMatch(SignedZeroRewrite::isZero)) {
        return Optional.of(isZeroOrIn(in));
      }
      boolean unsayable = filter instanceof EqualNullSafe equal && isZero(equal.value());
      return unsayable ? Optional.empty() : Optional.of(filter);
    }

    private static Filter isEitherZero(String column, Object zero) {
      return new org.apache.spark.sql.sources.And(
          new GreaterThanOrEqual(column, signed(zero, true)),
          new LessThanOrEqual(column, signed(zero, false)));
    }

    /** Spark takes the two zeros in one list for one value. */
    private static Filter isZeroOrIn(In in) {
      Object zero =
          Arrays.stream(in.values()).filter(SignedZeroRewrite::isZero).findFirst().orElseThrow();
      Object[] others = Arrays.stream(in.values()).filter(value -> !isZero(value)).toArray();
      Filter either = isEitherZero(in.attribute(), zero);
      return others.length == 0
          ? either
          : new org.apache.spark.sql.sources.Or(either, new In(in.attribute(), others));
    }

    private static boolean isZero(Object value) {
      return (value instanceof Double d && d == 0) || (value instanceof Float f && f == 0);
    }

    private static Object signed(Object zero, boolean negative) {
      if (zero instanceof Float) {
        return negative ? -0.0f : 0.0f;
      }
      return negative ? -0.0 : 0.0;
    }
  }
}
