package io.mooring.pushdown;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import org.apache.spark.sql.types.DataTypes;

/** Shows that a sum of longs fits into a long, from the extremes and the number of rows. */
final class SumBound {
  private SumBound() {}

  /** Whether sums of an expression's values can overflow a long, as far as its type tells. */
  static boolean isNeeded(Expr input) {
    if (input instanceof IfElse branches) {
      return isNeeded(branches.then()) || isNeeded(branches.otherwise());
    } else if (input instanceof Constant constant && constant.value() == null) {
      return false;
    }
    return input instanceof Unscaled unscaled
        ? !Unscaled.hasSafeSum(unscaled.child().type())
        : input.type().equals(DataTypes.LongType);
  }

  /**
   * Passes a column whose sum, and that of any part of it, fits.
   *
   * @throws SumMayOverflowException for any other
   */
  static void check(ColumnVector longs) {
    try (Scalar least = longs.min();
        Scalar most = longs.max()) {
      if (least.isValid() && !(fits(least, longs) && fits(most, longs))) {
        throw new SumMayOverflowException();
      }
    }
  }

  private static boolean fits(Scalar extreme, ColumnVector longs) {
    long rows = longs.getRowCount();
    return Math.multiplyHigh(extreme.getLong(), rows) == (extreme.getLong() * rows) >> 63;
  }
}
