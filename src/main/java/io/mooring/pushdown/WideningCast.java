package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * A cast to a wider type: of an integer to a wider one or to floating point, of float to double.
 */
public record WideningCast(Expr child, DataType type) implements Expr {
  private static final List<DataType> NARROW_TO_WIDE =
      List.of(
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType);

  /** Whether every value of {@code from} can be cast to {@code to} without an error. */
  static boolean widens(DataType from, DataType to) {
    int narrow = NARROW_TO_WIDE.indexOf(from);
    return narrow >= 0 && narrow < NARROW_TO_WIDE.indexOf(to);
  }

  @Override
  public List<Expr> children() {
    return List.of(child);
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return new WideningCast(children.get(0), type);
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    Number value = (Number) child.onRow(row);
    if (value == null) {
      return null;
    }
    return switch (NARROW_TO_WIDE.indexOf(type)) {
      case 1 -> value.shortValue();
      case 2 -> value.intValue();
      case 3 -> value.longValue();
      case 4 -> value.floatValue();
      default -> value.doubleValue();
    };
  }
}
