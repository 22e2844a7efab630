package io.mooring.pushdown;

import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** SQL's AND and OR in three-valued logic. */
public record Logical(Operator operator, Expr left, Expr right) implements Expr {
  /** The operators, each with the value that decides alone. */
  public enum Operator {
    AND(Constant.FALSE),
    OR(Constant.TRUE);

    private final Constant decisive;

    Operator(Constant decisive) {
      this.decisive = decisive;
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
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
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
}
