package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** SQL's NOT: null stays null. */
public record Not(Expr child) implements Expr {
  @Override
  public DataType type() {
    return DataTypes.BooleanType;
  }

  @Override
  public List<Expr> children() {
    return List.of(child);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return new Not(children.get(0));
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Object value = child.onRow(row);
    return value == null ? null : !((Boolean) value);
  }
}
