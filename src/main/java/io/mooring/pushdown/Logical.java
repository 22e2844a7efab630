package io.mooring.pushdown;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** SQL's AND and OR, of three values. */
record Logical(Operator operator, Expr left, Expr right) implements Expr {
  /** The value that decides alone, and what computes the rest. */
  enum Operator {
    AND(Constant.FALSE, BinaryOp.NULL_LOGICAL_AND),
    OR(Constant.TRUE, BinaryOp.NULL_LOGICAL_OR);

    private final Constant decisive;
    private final BinaryOp device;

    Operator(Constant decisive, BinaryOp device) {
      this.decisive = decisive;
      this.device = device;
    }
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
    return new Logical(operator, children.get(0), children.get(1));
  }

  @Override
  public Expr bind(Function<Column, @Nullable Constant> known) {
    Expr a = left.bind(known);
    Expr b = right.bind(known);
    if (a instanceof Constant constant) {
      return withConstant(constant, b);
    }
    return b instanceof Constant constant ? withConstant(constant, a) : withChildren(List.of(a, b));
  }

  private Expr withConstant(Constant constant, Expr other) {
    if (operator.decisive.equals(constant) || operator.decisive.equals(other)) {
      return operator.decisive;
    } else if (constant.value() != null) {
      return other;
    } else if (other instanceof Constant) {
      return constant;
    }
    return withChildren(List.of(other, constant));
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Object a = left.onRow(row);
    if (a != null && a.equals(operator.decisive.value())) {
      return a;
    }
    Object b = right.onRow(row);
    if (b != null && b.equals(operator.decisive.value())) {
      return b;
    }
    return a == null ? null : b;
  }

  @Override
  public ColumnVector onDevice(DeviceColumns columns) {
    try (ColumnVector a = left.onDevice(columns);
        Operand b = Operand.of(right, DType.BOOL8, columns)) {
      return a.binaryOp(operator.device, b.value(), DType.BOOL8);
    }
  }
}
