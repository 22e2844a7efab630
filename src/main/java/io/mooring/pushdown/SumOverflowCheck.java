package io.mooring.pushdown;

import io.mooring.pushdown.AggregateCall.Kind;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Checks that no sum of longs of one task can overflow, in whatever order the values are added.
 * Spark fails, or gives null, at the first sum that overflows, even if later values would bring it
 * back into range. So once a sum could overflow, Spark has to see the rows one by one. Belongs to
 * one task.
 */
public final class SumOverflowCheck {
  // For each call, Long.MAX_VALUE less the absolute values so far; -1 once that was exceeded.
  private final long[] remaining;

  public SumOverflowCheck(PartialAggregate aggregate) {
    remaining = new long[aggregate.calls().size()];
    Arrays.fill(remaining, Long.MAX_VALUE);
  }

  /** Whether sums of an expression's values can overflow a long, by its type. */
  static boolean canOverflow(Expr input) {
    if (input instanceof CaseWhen branches) {
      return canOverflow(branches.then()) || canOverflow(branches.otherwise());
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
   * @param call the ordinal of the call in the aggregate
   * @param least the minimum of the column
   * @param greatest the maximum of the column
   * @param rows the number of rows in the column
   * @return false when a sum could overflow
   */
  public boolean add(int call, long least, long greatest, long rows) {
    return add(call, Math.min(negative(least), negative(greatest)), rows);
  }

  /**
   * Adds the same row several times.
   *
   * @param values the inputs of the calls
   * @return false where a sum could overflow
   */
  boolean add(List<AggregateCall> calls, List<@Nullable Object> values, int times) {
    boolean fit = true;
    for (int i = 0; i < remaining.length; i++) {
      if (checks(calls.get(i)) && values.get(i) instanceof Number value) {
        fit &= add(i, negative(value.longValue()), times);
      }
    }
    return fit;
  }

  public static boolean checks(AggregateCall call) {
    return call.kind() == Kind.SUM && canOverflow(call.argument());
  }

  /** The absolute value, negated: every long has one, also Long.MIN_VALUE. */
  private static long negative(long value) {
    return -Math.abs(value);
  }

  private boolean add(int call, long farthest, long rows) {
    long sum = farthest * rows;
    // The -1 stays: adding Long.MIN_VALUE to it would wrap around to Long.MAX_VALUE.
    boolean fits = remaining[call] >= 0 && fitsLong(farthest, rows) && remaining[call] + sum >= 0;
    remaining[call] = fits ? remaining[call] + sum : -1;
    return fits;
  }

  /** Whether a product fits a long. */
  static boolean fitsLong(long value, long times) {
    return Math.multiplyHigh(value, times) == value * times >> 63;
  }
}
