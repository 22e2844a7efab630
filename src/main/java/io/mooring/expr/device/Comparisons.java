package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.Comparison.Operator;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** Comparisons in Spark's order, in which NaN equals itself and is greater than all else. */
final class Comparisons {
  // Up to here one comparison each is cheaper than building a hash set on the device.
  private static final int FEW = 4;

  private Comparisons() {}

  static ColumnView values(DeviceExpr.Comparison comparison, Evaluation e) {
    return compare(
        comparison.operator(),
        e.operand(comparison.left()),
        e.operand(comparison.right()),
        comparison.left().type(),
        e);
  }

  /** The comparison of two operands of a type. */
  static ColumnVector compare(
      Operator operator, BinaryOperable a, BinaryOperable b, DataType type, Evaluation e) {
    ColumnVector ieee = e.test(ieee(operator), a, b);
    if (!ScalarTypes.isFloating(type)) {
      return ieee;
    }
    ColumnVector nan = nan(operator, nans(a, e), nans(b, e), e);
    return nan == null ? ieee : e.test(BinaryOp.LOGICAL_OR, ieee, nan);
  }

  /** As IEEE 754 orders floating-point numbers: any comparison with NaN is false. */
  private static BinaryOp ieee(Operator operator) {
    return switch (operator) {
      case EQUAL -> BinaryOp.EQUAL;
      case EQUAL_NULL_SAFE -> BinaryOp.NULL_EQUALS;
      case LESS -> BinaryOp.LESS;
      case LESS_OR_EQUAL -> BinaryOp.LESS_EQUAL;
      case GREATER -> BinaryOp.GREATER;
      case GREATER_OR_EQUAL -> BinaryOp.GREATER_EQUAL;
    };
  }

  /** The rows in which NaN makes a comparison true; null where there are none. */
  private static @Nullable ColumnVector nan(
      Operator operator, @Nullable ColumnVector a, @Nullable ColumnVector b, Evaluation e) {
    return switch (operator) {
      case EQUAL, EQUAL_NULL_SAFE ->
          a == null || b == null ? null : e.test(BinaryOp.LOGICAL_AND, a, b);
      case GREATER_OR_EQUAL -> a;
      case LESS_OR_EQUAL -> b;
      case GREATER -> a == null || b == null ? a : e.test(BinaryOp.GREATER, a, b);
      case LESS -> a == null || b == null ? b : e.test(BinaryOp.LESS, a, b);
    };
  }

  /** Which values are NaN, false for nulls; null where none is. */
  private static @Nullable ColumnVector nans(BinaryOperable operand, Evaluation e) {
    if (operand instanceof Scalar scalar) {
      double value =
          !scalar.isValid()
              ? 0
              : scalar.getType().equals(DType.FLOAT32) ? scalar.getFloat() : scalar.getDouble();
      if (!Double.isNaN(value)) {
        return null;
      }
    }
    return e.keep(e.asColumn(operand).isNan());
  }

  static ColumnView values(DeviceExpr.In in, Evaluation e) {
    ColumnVector values = e.column(in.child());
    ColumnVector found =
        in.values().size() <= FEW ? compared(values, in, e) : hashed(values, in, e);
    return in.orNull()
        ? e.test(BinaryOp.NULL_LOGICAL_OR, found, e.keep(Scalar.fromNull(DType.BOOL8)))
        : found;
  }

  private static ColumnVector compared(ColumnVector values, DeviceExpr.In in, Evaluation e) {
    ColumnVector found = e.test(BinaryOp.EQUAL, values, e.operand(in.values().get(0)));
    for (DeviceExpr.Literal candidate : in.values().subList(1, in.values().size())) {
      ColumnVector next = e.test(BinaryOp.EQUAL, values, e.operand(candidate));
      found = e.test(BinaryOp.LOGICAL_OR, found, next);
    }
    return found;
  }

  private static ColumnVector hashed(ColumnVector values, DeviceExpr.In in, Evaluation e) {
    ColumnView[] single =
        in.values().stream()
            .map(it -> e.keep(ColumnVector.fromScalar(e.keep(Evaluation.scalar(it)), 1)))
            .toArray(ColumnView[]::new);
    return e.keep(values.contains(e.keep(ColumnVector.concatenate(single))));
  }
}
