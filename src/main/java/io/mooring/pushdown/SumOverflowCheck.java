package io.mooring.pushdown;

import io.mooring.pushdown.AggregateCall.Kind;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * How far the sums of longs of one task are from an overflow, in whatever order their values are
 * added up. Spark fails, or gives null, at the first sum that overflows, also where later values
 * would bring it back: past the bound it has to see the rows one by one. Belongs to one task.
 */
public final class SumOverflowCheck {
  // For each call what the distances of its values from zero may still add up to; then -1 for ever.
  private final long[] left;

  public SumOverflowCheck(PartialAggregate aggregate) {
    left = new long[aggregate.calls().size()];
    Arrays.fill(left, Long.MAX_VALUE);
  }

  /** Whether sums of an expression's values can overflow a long, as far as its type tells. */
  static boolean areNeeded(Expr input) {
    if (input instanceof CaseWhen branches) {
      return areNeeded(branches.then()) || areNeeded(branches.otherwise());
    } else if (input instanceof Constant constant && constant.value() == null) {
      return false;
    }
    return input instanceof UnscaledValue unscaled
        ? !UnscaledColumns.hasSafeSum(unscaled.child().type())
        : input.type().equals(DataTypes.LongType);
  }

  /**
   * Adds the values of a column.
   *
   * @param call its ordinal among the aggregate's calls
   * @param rows of the column
   * @return false where a sum could overflow
   */
  public boolean add(int call, long least, long greatest, long rows) {
    return add(call, Math.min(negative(least), negative(greatest)), rows);
  }

  /**
   * Adds rows that are all alike.
   *
   * @param values the inputs of the calls
   * @return false where a sum could overflow
   */
  boolean add(List<AggregateCall> calls, List<@Nullable Object> values, int times) {
    boolean fit = true;
    for (int i = 0; i < left.length; i++) {
      if (isBounded(calls.get(i)) && values.get(i) instanceof Number value) {
        fit &= add(i, negative(value.longValue()), times);
      }
    }
    return fit;
  }

  public static boolean isBounded(AggregateCall call) {
    return call.kind() == Kind.SUM && areNeeded(call.given());
  }

  /** Of negative numbers there is one more. */
  private static long negative(long value) {
    return -Math.abs(value);
  }

  private boolean add(int call, long farthest, long rows) {
    long sum = farthest * rows;
    boolean fits = multiplies(farthest, rows) && left[call] + sum >= 0;
    left[call] = fits ? left[call] + sum : -1;
    return fits;
  }

  /** Whether a product is a long. */
  static boolean multiplies(long value, long times) {
    return Math.multiplyHigh(value, times) == value * times >> 63;
  }
}
