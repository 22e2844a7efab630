package io.mooring.pushdown;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Sums, differences and products of floating-point numbers, which cannot fail. */
public record FloatingArithmetic(Operator operator, Expr left, Expr right) implements Expr {
  /** The operation on rows. */
  public enum Operator {
    ADD((a, b) -> a + b),
    SUBTRACT((a, b) -> a - b),
    MULTIPLY((a, b) -> a * b);

    private final DoubleBinaryOperator row;

    Operator(DoubleBinaryOperator row) {
      this.row = row;
    }
  }

  @Override
  public DataType type() {
    return left.type();
  }

  @Override
  public List<Expr> children() {
    return List.of(left, right);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return new FloatingArithmetic(operator, children.get(0), children.get(1));
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Number a = (Number) left.onRow(row);
    Number b = a == null ? null : (Number) right.onRow(row);
    if (a == null || b == null) {
      return null;
    }
    // The double result of one operation on two floats rounds to the float result.
    double result = operator.row.applyAsDouble(a.doubleValue(), b.doubleValue());
    return type().equals(DataTypes.FloatType) ? (Object) (float) result : (Object) result;
  }
}
