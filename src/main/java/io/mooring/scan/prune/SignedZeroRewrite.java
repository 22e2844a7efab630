package io.mooring.scan.prune;

import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Or;

/**
 * Comparisons with a floating point zero as parquet-mr understands them: in SQL -0.0 equals 0.0, in
 * its dictionaries, hashes and order -0.0 is less.
 */
final class SignedZeroRewrite {
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
    return new And(
        new GreaterThanOrEqual(column, signed(zero, true)),
        new LessThanOrEqual(column, signed(zero, false)));
  }

  /** Spark takes the two zeros in one list for one value. */
  private static Filter isZeroOrIn(In in) {
    Object zero =
        Arrays.stream(in.values()).filter(SignedZeroRewrite::isZero).findFirst().orElseThrow();
    Object[] others = Arrays.stream(in.values()).filter(value -> !isZero(value)).toArray();
    Filter either = isEitherZero(in.attribute(), zero);
    return others.length == 0 ? either : new Or(either, new In(in.attribute(), others));
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
