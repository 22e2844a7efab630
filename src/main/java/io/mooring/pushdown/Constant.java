package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * A value that is known before rows are read.
 *
 * @param value in Spark's internal form
 */
public record Constant(@Nullable Object value, DataType type) implements Expr {
  static final Constant TRUE = new Constant(true, DataTypes.BooleanType);
  static final Constant FALSE = new Constant(false, DataTypes.BooleanType);

  @Override
  public List<Expr> children() {
    return List.of();
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return this;
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    return value;
  }

  /** Whether it is SQL's true: neither false nor null. */
  public boolean isTrue() {
    return Boolean.TRUE.equals(value);
  }
}
