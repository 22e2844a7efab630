package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Whether a value is null; never null itself. */
public record IsNull(Expr child) implements Expr {
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
    return new IsNull(children.get(0));
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public Object onRow(RowColumns row) {
    return child.onRow(row) == null;
  }
}
