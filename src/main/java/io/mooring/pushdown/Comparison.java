package io.mooring.pushdown;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** A comparison of two values of one type, in Spark's order: NaN equals itself and is greatest. */
record Comparison(Operator operator, Expr left, Expr right) implements Expr {
  /** What of an order satisfies it, on rows and on the device. */
  enum Operator {
    EQUAL(BinaryOp.EQUAL, order -> order == 0),
    LESS(BinaryOp.LESS, order -> order < 0),
    LESS_OR_EQUAL(BinaryOp.LESS_EQUAL, order -> order <= 0),
    GREATER(BinaryOp.GREATER, order -> order > 0),
    GREATER_OR_EQUAL(BinaryOp.GREATER_EQUAL, order -> order >= 0);

    private final BinaryOp device;
    private final IntPredicate order;

    Operator(BinaryOp device, IntPredicate order) {
      this.device = device;
      this.order = order;
    }

    Operator flipped() {
      return switch (this) {
        case EQUAL -> EQUAL;
        case LESS -> GREATER;
        case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
        case GREATER -> LESS;
        case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
      };
    }
  }

  /** With a constant, if there is one, on the right. */
  static Comparison of(Operator operator, Expr left, Expr right) {
    return left instanceof Constant
        ? new Comparison(operator.flipped(), right, left)
        : new Comparison(operator, left, right);
  }

  @Override
  public DataType type() {
    return DataTypes.BooleanType;
  }

  @Override
  public List<Expr> children() {
    return List.of(left, right);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return of(operator, children.get(0), children.get(1));
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Object a = left.onRow(row);
    Object b = a == null ? null : right.onRow(row);
    if (a == null || b == null) {
      return null;
    }
    return operator.order.test(TypeUtils.getInterpretedOrdering(left.type()).compare(a, b));
  }

  @Override
  public ColumnVector onDevice(DeviceColumns columns) {
    try (ColumnVector a = left.onDevice(columns)) {
      if (DeviceTypes.isFloating(left.type())) {
        return FloatingComparison.compare(operator, a, right, columns);
      }
      try (Operand b = Operand.of(right, a.getType(), columns)) {
        return ieee(operator, a, b);
      }
    }
  }

  /** As libcudf compares: for floating-point numbers any order with NaN is false. */
  static ColumnVector ieee(Operator operator, ColumnVector a, Operand b) {
    return a.binaryOp(operator.device, b.value(), DType.BOOL8);
  }
}
