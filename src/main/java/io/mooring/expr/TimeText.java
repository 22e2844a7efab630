package io.mooring.expr;

import java.time.ZoneId;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * Timestamps as strings, or strings as dates or timestamps.
 *
 * @param pattern of FORMAT, in the language of strftime; else empty
 * @param mode decides on strings that are no date or no timestamp
 * @param zone of the session; a {@link java.time.ZoneOffset} where its offset never changes
 */
public record TimeText(
    Function function, DeviceExpr child, DataType type, String pattern, Mode mode, ZoneId zone)
    implements DeviceExpr {
  /** The functions; PRINT is the cast to a string, PARSE that of a string. */
  public enum Function {
    FORMAT,
    PRINT,
    PARSE
  }

  @Override
  public List<DeviceExpr> children() {
    return List.of(child);
  }

  @Override
  public boolean canFail() {
    return true;
  }

  @Override
  public boolean canRaise() {
    return (function == Function.PARSE && mode == Mode.ANSI) || DeviceExpr.super.canRaise();
  }

  @Override
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
