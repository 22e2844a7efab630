package io.mooring.expr;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/** Timestamps or dates as numbers since 1970, or such numbers as timestamps or dates. */
public record UnixTime(Function function, DeviceExpr child, DataType type) implements DeviceExpr {
  /**
   * The functions. SECONDS and MILLIS round down, WHOLE_SECONDS rounds towards 1970; those that
   * begin with OF_ take longs, or ints in the case of days.
   */
  public enum Function {
    SECONDS,
    WHOLE_SECONDS,
    MILLIS,
    MICROS,
    DAYS,
    OF_SECONDS,
    OF_MILLIS,
    OF_MICROS,
    OF_DAYS
  }

  @Override
  public List<DeviceExpr> children() {
    return List.of(child);
  }

  @Override
  public boolean canFail() {
    return canOverflow() || DeviceExpr.super.canFail();
  }

  @Override
  public boolean canRaise() {
    return canOverflow() || DeviceExpr.super.canRaise();
  }

  private boolean canOverflow() {
    return function == Function.OF_SECONDS || function == Function.OF_MILLIS;
  }

  @Override
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
