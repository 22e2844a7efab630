package io.mooring.expr;

import io.mooring.expr.DeviceExpr.Mode;
import java.math.MathContext;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
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
          case NEGATE, ABS ->
              hasManyDigits() || (mode == Mode.ANSI && type instanceof IntegralType);
          case FLOOR, CEIL, MAKE_DECIMAL -> mode == Mode.ANSI;
          case NOT, IS_NULL, IS_NAN, NORMALIZE_NAN_AND_ZERO, SQRT, UNSCALED -> false;
        };
    return mayOverflow || DeviceExpr.super.canRaise();
  }

  /** Whether Spark rounds the negation of a decimal, which it does in any mode; nines overflow. */
  private boolean hasManyDigits() {
    return type instanceof DecimalType decimal
        && decimal.precision() > MathContext.DECIMAL128.getPrecision();
  }

  @Override
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
