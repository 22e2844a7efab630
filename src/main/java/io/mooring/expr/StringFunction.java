package io.mooring.expr;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/** A function of strings. */
public record StringFunction(Function function, List<DeviceExpr> children, DataType type)
    implements DeviceExpr {
  /**
   * The functions. SUBSTRING, REPLACE and those that pad take a string and two literals, functions
   * that match or locate take a string and one. The last argument of CONCAT_WS is the separator. In
   * the pattern of LIKE, {@link #LIKE_ESCAPE} precedes each % and _ that is no wildcard. The
   * pattern of RLIKE is libcudf's.
   */
  public enum Function {
    LENGTH,
    OCTET_LENGTH,
    REVERSE,
    UPPER,
    LOWER,
    TRIM,
    TRIM_LEFT,
    TRIM_RIGHT,
    CONCAT,
    CONCAT_WS,
    SUBSTRING,
    PAD_LEFT,
    PAD_RIGHT,
    REPLACE,
    LOCATE,
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    LIKE,
    RLIKE
  }

  /** The escape character of LIKE patterns. */
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
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
