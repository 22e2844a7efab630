package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import io.mooring.columnar.CudfTypes;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.Arithmetic;
import io.mooring.expr.Arithmetic.Operator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.Mode;

/** Arithmetic on integers, as the JVM's or checked, and on floating-point numbers. */
final class NumberArithmetic {
  static final String OVERFLOW = "an integer overflows";
  private static final String ZERO = "a division by zero";

  private NumberArithmetic() {}

  static ColumnView values(Arithmetic arithmetic, Evaluation e) {
    BinaryOperable a = e.operand(arithmetic.left());
    BinaryOperable b = e.operand(arithmetic.right());
    DType type = CudfTypes.of(arithmetic.type());
    return switch (arithmetic.operator()) {
      case ADD, SUBTRACT, MULTIPLY ->
          arithmetic.mode() == Mode.LEGACY || ScalarTypes.isFloating(arithmetic.type())
              ? e.binary(cudf(arithmetic.operator()), a, b, type)
              : checked(arithmetic, a, b, type, e);
      case BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT ->
          e.binary(cudf(arithmetic.operator()), a, b, type);
      case DIVIDE, INTEGRAL_DIVIDE, REMAINDER, PMOD -> divided(arithmetic, a, b, type, e);
    };
  }

  /** libcudf's binary operation for an operator. */
  static BinaryOp cudf(Operator operator) {
    return switch (operator) {
      case ADD -> BinaryOp.ADD;
      case SUBTRACT -> BinaryOp.SUB;
      case MULTIPLY -> BinaryOp.MUL;
      case DIVIDE, INTEGRAL_DIVIDE -> BinaryOp.DIV;
      case REMAINDER -> BinaryOp.MOD;
      case PMOD -> BinaryOp.PMOD;
      case BIT_AND -> BinaryOp.BITWISE_AND;
      case BIT_OR -> BinaryOp.BITWISE_OR;
      case BIT_XOR -> BinaryOp.BITWISE_XOR;
      case SHIFT_LEFT -> BinaryOp.SHIFT_LEFT;
      case SHIFT_RIGHT -> BinaryOp.SHIFT_RIGHT;
    };
  }

  private static ColumnView checked(
      Arithmetic arithmetic, BinaryOperable a, BinaryOperable b, DType type, Evaluation e) {
    if (type.equals(DType.INT64)) {
      return arithmetic.operator() == Operator.MULTIPLY
          ? longProduct(arithmetic.mode(), a, b, e)
          : longSum(arithmetic, a, b, e);
    }
    ColumnVector wide = e.binary(cudf(arithmetic.operator()), a, b, DType.INT64);
    return e.settle(arithmetic.mode(), outside(wide, type, e), e.cast(wide, type), OVERFLOW);
  }

  /** Whether longs are outside the range of a narrower type. */
  static ColumnVector outside(ColumnView longs, DType type, Evaluation e) {
    long most = (1L << (8 * type.getSizeInBytes() - 1)) - 1;
    ColumnVector above = e.test(BinaryOp.GREATER, longs, e.number(most, DType.INT64));
    ColumnVector below = e.test(BinaryOp.LESS, longs, e.number(-most - 1, DType.INT64));
    return e.test(BinaryOp.LOGICAL_OR, above, below);
  }

  /**
   * A sum or difference of longs. It overflows where its sign differs from both operands' signs,
   * with the subtrahend's sign inverted.
   */
  private static ColumnView longSum(
      Arithmetic arithmetic, BinaryOperable a, BinaryOperable b, Evaluation e) {
    ColumnVector sum = e.binary(cudf(arithmetic.operator()), a, b, DType.INT64);
    ColumnVector first = e.binary(BinaryOp.BITWISE_XOR, a, sum, DType.INT64);
    ColumnVector second =
        arithmetic.operator() == Operator.ADD
            ? e.binary(BinaryOp.BITWISE_XOR, b, sum, DType.INT64)
            : e.binary(BinaryOp.BITWISE_XOR, a, b, DType.INT64);
    ColumnVector both = e.binary(BinaryOp.BITWISE_AND, first, second, DType.INT64);
    ColumnVector failing = e.test(BinaryOp.LESS, both, e.number(0, DType.INT64));
    return e.settle(arithmetic.mode(), failing, sum, OVERFLOW);
  }

  private static ColumnView longProduct(
      Mode mode, BinaryOperable a, BinaryOperable b, Evaluation e) {
    DType wide = DType.create(DType.DTypeEnum.DECIMAL128, 0);
    ColumnVector product =
        e.binary(BinaryOp.MUL, e.cast(e.asColumn(a), wide), e.cast(e.asColumn(b), wide), wide);
    ColumnVector longs = e.cast(product, DType.INT64);
    ColumnVector failing = e.test(BinaryOp.NOT_EQUAL, e.cast(longs, wide), product);
    return e.settle(mode, failing, longs, OVERFLOW);
  }

  private static ColumnView divided(
      Arithmetic arithmetic, BinaryOperable a, BinaryOperable b, DType type, Evaluation e) {
    BinaryOp operator = cudf(arithmetic.operator());
    if (arithmetic.right() instanceof DeviceExpr.Literal literal
        && literal.value() instanceof Number number
        && number.doubleValue() != 0
        && number.doubleValue() != -1) {
      return e.binary(operator, a, b, type);
    }
    ColumnView divisor = e.asColumn(b);
    ColumnVector zero = e.test(BinaryOp.EQUAL, divisor, e.number(0, type));
    refuseZero(arithmetic.mode(), zero, a, e);
    ColumnVector replaced = zero;
    ColumnVector minusOne = null;
    if (!ScalarTypes.isFloating(arithmetic.type())) {
      // The least integer divided by -1 does not fit, and libcudf's quotient is undefined.
      minusOne = e.test(BinaryOp.EQUAL, divisor, e.number(-1, type));
      replaced = e.test(BinaryOp.LOGICAL_OR, zero, minusOne);
    }
    ColumnView quotient =
        e.binary(operator, a, e.select(replaced, e.number(1, type), divisor), type);
    if (minusOne != null && arithmetic.operator() == Operator.INTEGRAL_DIVIDE) {
      quotient = e.select(minusOne, negated(arithmetic.mode(), a, minusOne, type, e), quotient);
    }
    return arithmetic.mode() == Mode.ANSI ? quotient : e.nullWhere(zero, quotient);
  }

  /** Under ANSI mode, leaves divisions by zero to Spark, which ignores those of null. */
  static void refuseZero(Mode mode, ColumnVector zero, BinaryOperable dividend, Evaluation e) {
    if (mode == Mode.ANSI) {
      ColumnVector there = e.keep(e.asColumn(dividend).isNotNull());
      e.refuse(e.test(BinaryOp.LOGICAL_AND, zero, there), ZERO);
    }
  }

  private static ColumnView negated(
      Mode mode, BinaryOperable a, ColumnVector rows, DType type, Evaluation e) {
    if (mode == Mode.ANSI) {
      ColumnVector least = e.test(BinaryOp.EQUAL, a, e.number(Long.MIN_VALUE, type));
      e.refuse(e.test(BinaryOp.LOGICAL_AND, least, rows), OVERFLOW);
    }
    return e.binary(BinaryOp.SUB, e.number(0, type), a, type);
  }
}
