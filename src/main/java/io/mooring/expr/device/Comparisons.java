package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.Comparison.Operator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** Comparisons in Spark's order, in which NaN equals itself and is greater than all else. */
final class Comparisons {
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

  /** The comparison by IEEE 754, where it is false for NaN on either side. */
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

  /** Whether values are NaN, false for nulls; null where none is. */
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
    List<@Nullable Object> list = in.values().stream().map(DeviceExpr.Literal::value).toList();
    DType type = CudfTypes.of(in.child().type());
    return e.keep(InLists.in(e.column(in.child()), list, type, in.orNull()));
  }
}
