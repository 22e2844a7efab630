package io.mooring.expr;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/** A function of strings. */
public record StringFunction(Function function, List<DeviceExpr> children, DataType type)
    implements DeviceExpr {
  /**
   * The functions. SUBSTRING has two literals behind its string, the matching ones one. In the
   * pattern of LIKE, {@link #LIKE_ESCAPE} stands before each % and _ that is no wildcard. That of
   * RLIKE is a regular expression of libcudf's.
   */
  public enum Function {
    LENGTH,
    UPPER,
    LOWER,
    TRIM,
    TRIM_LEFT,
    TRIM_RIGHT,
    CONCAT,
    SUBSTRING,
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    LIKE,
    RLIKE
  }

  /** What stands in patterns before a character that would be a wildcard else. */
  public static final char LIKE_ESCAPE = '\u0001';

  @Override
  public boolean canFail() {
    return function == Function.UPPER
        || function == Function.LOWER
        || function == Function.LIKE
        || function == Function.RLIKE
        || DeviceExpr.super.canFail();
  }

  @Override
  public <R> R accept(DeviceExprVisitor<R> visitor) {
    return visitor.visit(this);
  }
}
