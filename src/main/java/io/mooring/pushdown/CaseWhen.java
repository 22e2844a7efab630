package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * SQL's CASE WHEN with one condition: one value where it is true, another where it is false or
 * null.
 */
public record CaseWhen(Expr condition, Expr then, Expr otherwise) implements Expr {
  @Override
  public DataType type() {
    return then.type();
  }

  @Override
  public List<Expr> children() {
    return List.of(condition, then, otherwise);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    if (children.get(0) instanceof Constant known) {
      return known.isTrue() ? children.get(1) : children.get(2);
    }
    return new CaseWhen(children.get(0), children.get(1), children.get(2));
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    return (Boolean.TRUE.equals(condition.onRow(row)) ? then : otherwise).onRow(row);
  }
}
