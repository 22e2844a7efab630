package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.math.Ordering;

/**
 * Whether a value is in a list of constants; no floating-point numbers.
 *
 * @param values of the child's type, none null
 * @param orNull whether null is in the list as well, so that a value that is not found gives null
 */
public record In(Expr child, List<Constant> values, boolean orNull) implements Expr {
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
    return new In(children.get(0), values, orNull);
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Object value = child.onRow(row);
    if (value == null) {
      return null;
    }
    Ordering<Object> ordering = TypeUtils.getInterpretedOrdering(child.type());
    for (Constant candidate : values) {
      if (ordering.compare(value, candidate.value()) == 0) {
        return true;
      }
    }
    return orNull ? null : false;
  }
}
