package io.mooring.pushdown;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import io.mooring.pushdown.Comparison.Operator;

/**
 * Comparisons of floating-point columns on the device in Spark's order, in which NaN equals itself
 * and is greater than everything else.
 */
final class FloatingComparison {
  private FloatingComparison() {}

  static ColumnVector compare(
      Operator operator, ColumnVector a, Expr right, DeviceColumns columns) {
    try (Operand b = Operand.of(right, a.getType(), columns);
        ColumnVector ieee = Comparison.ieee(operator, a, b)) {
      return switch (operator) {
        case EQUAL -> or(ieee, bothNan(a, right, columns));
        case GREATER -> or(ieee, onlyFirstNan(a, right, columns));
        case LESS -> or(ieee, onlySecondNan(a, right, columns));
        case GREATER_OR_EQUAL -> or(ieee, a.isNan());
        case LESS_OR_EQUAL -> or(ieee, isNan(right, a, columns));
      };
    }
  }

  /** Null wins over false in both, so that a null on either side stays one. */
  private static ColumnVector or(ColumnVector ieee, ColumnVector nan) {
    try (nan) {
      return ieee.binaryOp(BinaryOp.LOGICAL_OR, nan, DType.BOOL8);
    }
  }

  private static ColumnVector bothNan(ColumnVector a, Expr right, DeviceColumns columns) {
    try (ColumnVector first = a.isNan();
        ColumnVector second = isNan(right, a, columns)) {
      return first.binaryOp(BinaryOp.LOGICAL_AND, second, DType.BOOL8);
    }
  }

  private static ColumnVector onlyFirstNan(ColumnVector a, Expr right, DeviceColumns columns) {
    try (ColumnVector first = a.isNan();
        ColumnVector second = isNan(right, a, columns)) {
      return first.binaryOp(BinaryOp.GREATER, second, DType.BOOL8);
    }
  }

  private static ColumnVector onlySecondNan(ColumnVector a, Expr right, DeviceColumns columns) {
    try (ColumnVector first = a.isNan();
        ColumnVector second = isNan(right, a, columns)) {
      return first.binaryOp(BinaryOp.LESS, second, DType.BOOL8);
    }
  }

  private static ColumnVector isNan(Expr right, ColumnVector a, DeviceColumns columns) {
    try (ColumnVector values = right.onDevice(columns)) {
      return values.isNan();
    }
  }
}
