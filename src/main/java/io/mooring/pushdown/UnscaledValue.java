package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * The unscaled value of a short decimal, as a long. Spark's optimizer sums and averages short
 * decimals as such.
 */
public record UnscaledValue(Expr child) implements Expr {
  @Override
  public DataType type() {
    return DataTypes.LongType;
  }

  @Override
  public List<Expr> children() {
    return List.of(child);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return new UnscaledValue(children.get(0));
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Decimal value = (Decimal) child.onRow(row);
    return value == null ? null : value.toUnscaledLong();
  }
}
