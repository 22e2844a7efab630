package io.mooring.expr;

import java.time.ZoneId;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * A function of dates and timestamps.
 *
 * @param zone of the session; a {@link java.time.ZoneOffset} where its offset never changes
 */
public record DateFunction(Function function, List<DeviceExpr> children, DataType type, ZoneId zone)
    implements DeviceExpr {
  /** The functions; TRUNC_ functions of a date give a date, of a timestamp a timestamp. */
  public enum Function {
    YEAR,
    QUARTER,
    MONTH,
    DAY,
    DAY_OF_WEEK,
    WEEKDAY,
    DAY_OF_YEAR,
    WEEK_OF_YEAR,
    LAST_DAY,
    ADD_DAYS,
    SUBTRACT_DAYS,
    DAYS_BETWEEN,
    ADD_MONTHS,
    TRUNC_YEAR,
    TRUNC_QUARTER,
    TRUNC_MONTH,
    TRUNC_WEEK,
    TRUNC_DAY,
    TRUNC_HOUR,
    TRUNC_MINUTE,
    TRUNC_SECOND,
    TRUNC_MILLISECOND,
    TRUNC_MICROSECOND,
    HOUR,
    MINUTE,
    SECOND
  }

  @Override
  public boolean canFail() {
    return true;
  }

  @Override
  public boolean canRaise() {
    return function == Function.ADD_MONTHS || DeviceExpr.super.canRaise();
  }

  @Override
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
