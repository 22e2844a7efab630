package io.mooring.pushdown;

import java.util.List;
import java.util.function.IntPredicate;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** A comparison of two values of one type, in Spark's order: NaN equals itself and is greatest. */
public record Comparison(Operator operator, Expr left, Expr right) implements Expr {
  /** The operators, each with the results of {@code compare} that satisfy it. */
  public enum Operator {
    EQUAL(order -> order == 0),
    LESS(order -> order < 0),
    LESS_OR_EQUAL(order -> order <= 0),
    GREATER(order -> order > 0),
    GREATER_OR_EQUAL(order -> order >= 0);

    private final IntPredicate order;

    Operator(IntPredicate order) {
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

  /** The comparison with its constant, if it has one, on the right. */
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
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
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
}
