package io.mooring.pushdown;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Whether a string begins with, ends with or contains another, byte by byte.
 *
 * @param pattern not empty
 */
public record StringMatch(Kind kind, Expr child, UTF8String pattern) implements Expr {
  /** The part of the string that has to match. */
  public enum Kind {
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS
  }

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
    return new StringMatch(kind, children.get(0), pattern);
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    UTF8String text = (UTF8String) child.onRow(row);
    if (text == null) {
      return null;
    }
    return switch (kind) {
      case STARTS_WITH -> text.startsWith(pattern);
      case ENDS_WITH -> text.endsWith(pattern);
      case CONTAINS -> text.contains(pattern);
    };
  }
}
