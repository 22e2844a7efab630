package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.device.SparkFallbackException;
import java.math.BigInteger;

/** Shows from the extremes of values that no sum of theirs overflows, in whichever order. */
final class SumOverflow {
  // Above, the widest decimal that Spark has could overflow; of a narrower one rows are too few.
  private static final int PRECISE_DIGITS = 28;
  private static final BigInteger MOST_UNSCALED = BigInteger.TEN.pow(38).subtract(BigInteger.ONE);
  private static final BigInteger MOST_LONG = BigInteger.valueOf(Long.MAX_VALUE);

  private SumOverflow() {}

  /**
   * Passes longs of which no sum of {@code terms} overflows a long.
   *
   * @throws SparkFallbackException for any others
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
   * Passes decimals of which no sum of {@code terms} has more than 38 digits.
   *
   * @param digits that the values can have by their type
   * @throws SparkFallbackException for any others
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
