package io.mooring.pushdown.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import io.mooring.pushdown.Comparison.Operator;
import io.mooring.pushdown.device.BinaryOps.RightOperand;

/**
 * Comparisons of floating-point columns on the device in Spark's order, in which NaN equals itself
 * and is greater than everything else.
 */
final class FloatingComparison {
  private FloatingComparison() {}

  /**
   * @param b the right side as an operand
   * @param right the right side as a column
   */
  static ColumnVector compare(
      Operator operator, ColumnVector a, RightOperand b, ColumnVector right) {
    try (ColumnVector ieee = a.binaryOp(BinaryOps.binaryOp(operator), b.value(), DType.BOOL8)) {
      return switch (operator) {
        case EQUAL -> or(ieee, nans(a, right, BinaryOp.LOGICAL_AND));
        case GREATER -> or(ieee, nans(a, right, BinaryOp.GREATER));
        case LESS -> or(ieee, nans(a, right, BinaryOp.LESS));
        case GREATER_OR_EQUAL -> or(ieee, a.isNan());
        case LESS_OR_EQUAL -> or(ieee, right.isNan());
      };
    }
  }

  /** Does the same as {@link #compare} for a right side that is a constant other than NaN. */
  static ColumnVector withNumber(Operator operator, ColumnVector a, RightOperand b) {
    ColumnVector ieee = a.binaryOp(BinaryOps.binaryOp(operator), b.value(), DType.BOOL8);
    if (operator != Operator.GREATER && operator != Operator.GREATER_OR_EQUAL) {
      return ieee;
    }
    try (ieee) {
      return or(ieee, a.isNan());
    }
  }

  /**
   * Closes {@code nan}, which has no nulls. The result is null where a side is: {@code ieee} is
   * null there, and libcudf's OR of null and true is null.
   */
  private static ColumnVector or(ColumnVector ieee, ColumnVector nan) {
    try (nan) {
      return ieee.binaryOp(BinaryOp.LOGICAL_OR, nan, DType.BOOL8);
    }
  }

  /** Compares where the sides are NaN; true is greater than false. */
  private static ColumnVector nans(ColumnVector a, ColumnVector b, BinaryOp operator) {
    try (ColumnVector first = a.isNan();
        ColumnVector second = b.isNan()) {
      return first.binaryOp(operator, second, DType.BOOL8);
    }
  }
}
