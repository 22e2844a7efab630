package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.Arithmetic;
import io.mooring.expr.Arithmetic.Operator;
import io.mooring.expr.DeviceExpr.Mode;
import java.math.BigInteger;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DecimalType;

/**
 * Decimal arithmetic: exact to the last digit, then rounded half up to the scale of the result. A
 * bound on the digits, from the types or else from the values themselves, shows that nothing
 * overflows on the way; without one Spark computes the rows.
 */
final class DecimalArithmetic {
  // One less than the types hold, because rounding may add one.
  private static final BigInteger MOST_64 = BigInteger.valueOf(Long.MAX_VALUE - 1);
  private static final BigInteger MOST_128 = BigInteger.TWO.pow(127).subtract(BigInteger.TWO);

  private DecimalArithmetic() {}

  static ColumnView values(Arithmetic arithmetic, Evaluation e) {
    DecimalOperand a = new DecimalOperand(arithmetic.left(), e);
    DecimalOperand b = new DecimalOperand(arithmetic.right(), e);
    DecimalType type = (DecimalType) arithmetic.type();
    return switch (arithmetic.operator()) {
      case MULTIPLY -> {
        BigInteger bound = bounded(() -> a.bound().multiply(b.bound()), a, b);
        int scale = a.scale() + b.scale();
        ColumnVector product = exact(BinaryOp.MUL, a, b, bound, scale, e);
        yield fitted(product, bound, scale, type, arithmetic.mode(), e);
      }
      case DIVIDE -> quotient(arithmetic, a, b, type, e);
      case REMAINDER, PMOD -> remainder(arithmetic, a, b, type, e);
      default -> {
        int scale = Math.max(a.scale(), b.scale());
        BigInteger bound = bounded(() -> a.bound(scale).add(b.bound(scale)), a, b);
        ColumnVector sum =
            exact(NumberArithmetic.cudf(arithmetic.operator()), a, b, bound, scale, e);
        yield fitted(sum, bound, scale, type, arithmetic.mode(), e);
      }
    };
  }

  /** A bound that fits 128 bits; measures operands only where types do not give one. */
  private static BigInteger bounded(Supplier<BigInteger> bound, DecimalOperand... operands) {
    for (DecimalOperand operand : operands) {
      if (bound.get().compareTo(MOST_128) > 0) {
        operand.measure();
      }
    }
    requireFit(bound.get());
    return bound.get();
  }

  private static void requireFit(BigInteger bound) {
    if (bound.compareTo(MOST_128) > 0) {
      throw new SparkFallbackException("an intermediate decimal may have more than 38 digits");
    }
  }

  /** The narrowest type for arithmetic on numbers of a scale up to a bound. */
  static DType width(BigInteger bound, int scale) {
    return DType.create(widthOf(bound, scale), -scale);
  }

  /** cudf has no 64-bit decimals with a scale above their number of digits. */
  private static DType.DTypeEnum widthOf(BigInteger bound, int scale) {
    return bound.compareTo(MOST_64) > 0 || scale > DType.DECIMAL64_MAX_PRECISION
        ? DType.DTypeEnum.DECIMAL128
        : DType.DTypeEnum.DECIMAL64;
  }

  private static ColumnVector exact(
      BinaryOp operator,
      DecimalOperand a,
      DecimalOperand b,
      BigInteger bound,
      int scale,
      Evaluation e) {
    DType wide = width(bound.max(a.bound()).max(b.bound()), scale);
    return e.binary(operator, a.as(wide.getTypeId()), b.as(wide.getTypeId()), wide);
  }

  private static ColumnView remainder(
      Arithmetic arithmetic, DecimalOperand a, DecimalOperand b, DecimalType type, Evaluation e) {
    int scale = Math.max(a.scale(), b.scale());
    // A positive remainder is made out of a negative one by adding the divisor.
    BigInteger bound = bounded(() -> a.bound(scale).add(b.bound(scale)), a, b);
    DType wide = width(bound, scale);
    ColumnView divisor = e.asColumn(b.as(wide.getTypeId()));
    ColumnVector zero = zeros(arithmetic.mode(), a, divisor, e);
    ColumnVector safe = e.select(zero, one(divisor.getType(), e), divisor);
    BinaryOp operator = arithmetic.operator() == Operator.PMOD ? BinaryOp.PMOD : BinaryOp.MOD;
    ColumnVector rest = e.binary(operator, a.as(wide.getTypeId()), safe, wide);
    ColumnView fitted = fitted(rest, bound, scale, type, arithmetic.mode(), e);
    return arithmetic.mode() == Mode.ANSI ? fitted : e.nullWhere(zero, fitted);
  }

  /** The quotient, computed in halves of its last digit and then rounded. */
  private static ColumnView quotient(
      Arithmetic arithmetic, DecimalOperand a, DecimalOperand b, DecimalType type, Evaluation e) {
    BigInteger factor =
        BigInteger.TWO.multiply(BigInteger.TEN.pow(type.scale() + b.scale() - a.scale()));
    BigInteger bound = bounded(() -> a.bound().multiply(factor).max(factor).max(b.bound()), a);
    int places = Math.max(type.scale(), Math.max(a.scale(), b.scale()));
    DType wide = DType.create(widthOf(bound, places), 0);
    ColumnView dividend = digits(e.asColumn(a.as(wide.getTypeId())), e);
    ColumnView divisor = digits(e.asColumn(b.as(wide.getTypeId())), e);
    ColumnVector zero = zeros(arithmetic.mode(), a, divisor, e);
    ColumnVector safe = e.select(zero, one(divisor.getType(), e), divisor);
    ColumnVector shifted =
        e.binary(BinaryOp.MUL, dividend, e.keep(Scalar.fromDecimal(factor, wide)), wide);
    ColumnVector halves = e.binary(BinaryOp.DIV, shifted, safe, wide);
    ColumnView rounded = halved(halves, e);
    DType scaled = DType.create(wide.getTypeId(), -type.scale());
    ColumnView fitted =
        fitted(e.bits(rounded, scaled), bound, type.scale(), type, arithmetic.mode(), e);
    return arithmetic.mode() == Mode.ANSI ? fitted : e.nullWhere(zero, fitted);
  }

  /** The unscaled values of decimals, as decimals of scale zero. */
  private static ColumnView digits(ColumnView decimals, Evaluation e) {
    return decimals.getType().getScale() == 0
        ? decimals
        : e.bits(decimals, DType.create(decimals.getType().getTypeId(), 0));
  }

  private static ColumnVector zeros(Mode mode, DecimalOperand a, ColumnView divisor, Evaluation e) {
    Scalar nothing = e.keep(Scalar.fromDecimal(BigInteger.ZERO, divisor.getType()));
    ColumnVector zero = e.test(BinaryOp.EQUAL, divisor, nothing);
    NumberArithmetic.refuseZero(mode, zero, a.operand(), e);
    return zero;
  }

  private static Scalar one(DType type, Evaluation e) {
    return e.keep(Scalar.fromDecimal(BigInteger.ONE, type));
  }

  /** Halves of whole numbers, rounded half away from zero. */
  private static ColumnVector halved(ColumnView whole, Evaluation e) {
    DType type = whole.getType();
    Scalar nothing = e.keep(Scalar.fromDecimal(BigInteger.ZERO, type));
    ColumnVector negative = e.test(BinaryOp.LESS, whole, nothing);
    ColumnVector away =
        e.select(negative, e.keep(Scalar.fromDecimal(BigInteger.ONE.negate(), type)), one(type, e));
    ColumnVector more = e.binary(BinaryOp.ADD, whole, away, type);
    return e.binary(
        BinaryOp.DIV,
        more,
        e.keep(Scalar.fromDecimal(BigInteger.TWO, DType.create(type.getTypeId(), 0))),
        type);
  }

  /**
   * Exact decimals as a type: rounded half up, and null or an error by the mode where they do not
   * fit.
   *
   * @param bound on the unscaled values of the rows asked for
   * @param scale of the exact decimals
   */
  static ColumnView fitted(
      ColumnView exact, BigInteger bound, int scale, DecimalType type, Mode mode, Evaluation e) {
    ColumnView values = exact;
    BigInteger most = bound;
    int dropped = scale - type.scale();
    if (dropped > 0) {
      values = rounded(exact, dropped, e);
      most = bound.divide(BigInteger.TEN.pow(dropped)).add(BigInteger.ONE);
    } else if (dropped < 0) {
      BigInteger factor = BigInteger.TEN.pow(-dropped);
      most = bound.multiply(factor);
      if (most.compareTo(MOST_128) > 0) {
        most = e.magnitude(exact).multiply(factor);
        requireFit(most);
      }
      DType wide = width(most, type.scale());
      values = e.cast(e.cast(exact, DType.create(wide.getTypeId(), -scale)), wide);
    }
    BigInteger limit = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    if (most.compareTo(limit) > 0) {
      values = e.settle(mode, beyond(values, limit, e), values, "a decimal overflows");
    }
    DType result = CudfTypes.of(type);
    return values.getType().equals(result) ? values : e.cast(values, result);
  }

  private static ColumnVector beyond(ColumnView values, BigInteger limit, Evaluation e) {
    Scalar most = DecimalOperand.scalar(limit, values.getType(), e);
    Scalar least = DecimalOperand.scalar(limit.negate(), values.getType(), e);
    return e.test(
        BinaryOp.LOGICAL_OR,
        e.test(BinaryOp.GREATER, values, most),
        e.test(BinaryOp.LESS, values, least));
  }

  /** The decimals without some of the last digits, rounded half up. */
  private static ColumnView rounded(ColumnView exact, int dropped, Evaluation e) {
    DType type = exact.getType();
    DType.DTypeEnum id = dropped > 17 ? DType.DTypeEnum.DECIMAL128 : widest(type.getTypeId());
    ColumnView whole = digits(exact, e);
    ColumnView wide =
        whole.getType().getTypeId() == id ? whole : e.cast(whole, DType.create(id, 0));
    // Capped at what 128 bits hold: there every number rounds to zero.
    BigInteger five = BigInteger.valueOf(5).multiply(BigInteger.TEN.pow(dropped - 1));
    Scalar half = DecimalOperand.scalar(five, DType.create(id, 0), e);
    ColumnVector halves = e.binary(BinaryOp.DIV, wide, half, DType.create(id, 0));
    return e.bits(halved(halves, e), DType.create(id, type.getScale() + dropped));
  }

  private static DType.DTypeEnum widest(DType.DTypeEnum id) {
    return id == DType.DTypeEnum.DECIMAL128 ? id : DType.DTypeEnum.DECIMAL64;
  }
}
