package io.mooring.expr;

import io.mooring.expr.DeviceExpr.Mode;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;

/** Arithmetic on two numbers of one type, or on two decimals; operations on bits. */
public record Arithmetic(
    Operator operator, DeviceExpr left, DeviceExpr right, DataType type, Mode mode)
    implements DeviceExpr {
  /**
   * The operators; INTEGRAL_DIVIDE only of longs, DIVIDE only of doubles and decimals, those of
   * bits only of integers. Shifts are of ints and longs, by an int that is less than their width.
   */
  public enum Operator {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    INTEGRAL_DIVIDE,
    REMAINDER,
    PMOD,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    SHIFT_LEFT,
    SHIFT_RIGHT
  }

  @Override
  public List<DeviceExpr> children() {
    return List.of(left, right);
  }

  @Override
  public boolean canFail() {
    return mode == Mode.ANSI || isTight() || DeviceExpr.super.canFail();
  }

  @Override
  public boolean canRaise() {
    return (mode == Mode.ANSI && hasResultsThatDoNotFit()) || DeviceExpr.super.canRaise();
  }

  /** Whether a result may overflow its type or be a quotient by zero. */
  private boolean hasResultsThatDoNotFit() {
    return switch (operator) {
      case ADD, SUBTRACT, MULTIPLY ->
          type instanceof DecimalType ? isTight() : !(type instanceof FractionalType);
      case DIVIDE, INTEGRAL_DIVIDE, REMAINDER, PMOD ->
          type instanceof DecimalType || !dividesByConstant();
      case BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> false;
    };
  }

  /** Whether the divisor is a constant other than zero, and than -1: it negates the least value. */
  private boolean dividesByConstant() {
    return right instanceof DeviceExpr.Literal literal
        && literal.value() instanceof Number divisor
        && divisor.doubleValue() != 0
        && divisor.doubleValue() != -1;
  }

  /** Whether intermediate digits may overflow, as far as the types tell. */
  private boolean isTight() {
    return type instanceof DecimalType decimal
        && (operator.compareTo(Operator.DIVIDE) >= 0
            || decimal.precision() == DecimalType.MAX_PRECISION());
  }

  @Override
  public <R> R accept(DeviceExpr.Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
