package io.mooring.expr;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/** A function of strings. */
public record StringFunction(Function function, List<DeviceExpr> children, DataType type)
    implements DeviceExpr {
  /**
   * The functions. SUBSTRING, SUBSTRING_INDEX, REPLACE, TRANSLATE and those that pad take a string
   * and two literals, REPEAT and functions that match or locate take a string and one. The last
   * argument of CONCAT_WS is the separator. In the pattern of LIKE, {@link #LIKE_ESCAPE} precedes
   * each % and _ that is no wildcard. The patterns of RLIKE and of functions of regular expressions
   * are libcudf's. REGEXP_REPLACE takes a string, a pattern and a literal replacement,
   * REGEXP_REPLACE_GROUPS a template of libcudf's with groups. REGEXP_EXTRACT and
   * REGEXP_GROUP_OR_TEXT take a pattern of one group; the latter is the string where nothing
   * matches, and every match has the group.
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
    TRANSLATE,
    REPEAT,
    SUBSTRING_INDEX,
    LOCATE,
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    LIKE,
    RLIKE,
    REGEXP_REPLACE,
    REGEXP_REPLACE_GROUPS,
    REGEXP_GROUP_OR_TEXT,
    REGEXP_EXTRACT
  }

  /** The escape character of LIKE patterns. */
  public static final char LIKE_ESCAPE = '\u0001';

  @Override
  public boolean canFail() {
    return switch (function) {
      case UPPER, LOWER, REPEAT, LIKE, RLIKE -> true;
      case REGEXP_REPLACE, REGEXP_REPLACE_GROUPS, REGEXP_GROUP_OR_TEXT, REGEXP_EXTRACT -> true;
      default -> DeviceExpr.super.canFail();
    };
  }

  @Override
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
