package io.mooring.expr;

import io.mooring.expr.DeviceExpr.Mode;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;

/** A function of one value. */
public record Unary(Operator operator, DeviceExpr child, DataType type, Mode mode)
    implements DeviceExpr {
  /**
   * The operators. FLOOR and CEIL take decimals or doubles, UNSCALED gives a long, and MAKE_DECIMAL
   * takes a long.
   */
  public enum Operator {
    NOT,
    IS_NULL,
    IS_NAN,
    NORMALIZE_NAN_AND_ZERO,
    NEGATE,
    ABS,
    SQRT,
    FLOOR,
    CEIL,
    UNSCALED,
    MAKE_DECIMAL
  }

  @Override
  public List<DeviceExpr> children() {
    return List.of(child);
  }

  @Override
  public boolean canFail() {
    return mode == Mode.ANSI || DeviceExpr.super.canFail();
  }

  @Override
  public boolean canRaise() {
    boolean mayOverflow =
        switch (operator) {
          case NEGATE, ABS -> type instanceof IntegralType;
          case FLOOR, CEIL, MAKE_DECIMAL -> true;
          case NOT, IS_NULL, IS_NAN, NORMALIZE_NAN_AND_ZERO, SQRT, UNSCALED -> false;
        };
    return (mode == Mode.ANSI && mayOverflow) || DeviceExpr.super.canRaise();
  }

  @Override
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
