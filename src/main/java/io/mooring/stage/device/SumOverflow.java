package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.device.SparkFallbackException;
import java.math.BigInteger;

/** Checks by the extremes of values that no sum of them overflows, in whatever order. */
final class SumOverflow {
  // With more digits, sums could exceed Spark's widest decimal; with fewer, there are too few rows.
  private static final int PRECISE_DIGITS = 28;
  private static final BigInteger MOST_UNSCALED = BigInteger.TEN.pow(38).subtract(BigInteger.ONE);
  private static final BigInteger MOST_LONG = BigInteger.valueOf(Long.MAX_VALUE);

  private SumOverflow() {}

  /**
   * Checks that no sum of {@code terms} of the values overflows a long.
   *
   * @throws SparkFallbackException when one may
   */
  static void checkLongs(ColumnVector longs, long terms) {
    try (Scalar least = longs.min();
        Scalar most = longs.max()) {
      if (least.isValid()) {
        check(BigInteger.valueOf(least.getLong()), terms, MOST_LONG);
        check(BigInteger.valueOf(most.getLong()), terms, MOST_LONG);
      }
    }
  }

  /**
   * Checks that no sum of {@code terms} of the values has more than 38 digits.
   *
   * @param digits of the values' type
   * @throws SparkFallbackException when one may
   */
  static void checkDecimals(ColumnVector decimals, int digits, long terms) {
    if (digits <= PRECISE_DIGITS) {
      return;
    }
    try (Scalar least = decimals.min();
        Scalar most = decimals.max()) {
      if (least.isValid()) {
        check(least.getBigDecimal().unscaledValue(), terms, MOST_UNSCALED);
        check(most.getBigDecimal().unscaledValue(), terms, MOST_UNSCALED);
      }
    }
  }

  private static void check(BigInteger extreme, long terms, BigInteger most) {
    if (extreme.abs().multiply(BigInteger.valueOf(terms)).compareTo(most) > 0) {
      throw new SparkFallbackException("a sum may overflow");
    }
  }
}
