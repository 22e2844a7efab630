package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.UnaryOp;
import io.mooring.columnar.CudfTypes;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.Unary;
import java.math.BigInteger;
import java.math.MathContext;
import org.apache.spark.sql.types.DecimalType;

/** Functions of one value. */
final class UnaryOperators {
  private UnaryOperators() {}

  static ColumnView values(Unary unary, Evaluation e) {
    ColumnVector child = e.column(unary.child());
    return switch (unary.operator()) {
      case NOT -> e.not(child);
      case IS_NULL -> e.keep(child.isNull());
      case IS_NAN -> e.keep(child.isNan());
      case NORMALIZE_NAN_AND_ZERO -> e.keep(child.normalizeNANsAndZeros());
      case NEGATE -> negated(unary, child, e);
      case ABS -> absolute(unary, child, e);
      case SQRT -> e.keep(child.unaryOp(UnaryOp.SQRT));
      case FLOOR ->
          unary.type() instanceof DecimalType type
              ? e.cast(floor(child, e), CudfTypes.of(type))
              : e.keep(child.floor());
      case CEIL ->
          unary.type() instanceof DecimalType type
              ? e.cast(minus(floor(minus(child, e), e), e), CudfTypes.of(type))
              : e.keep(child.ceil());
      case UNSCALED -> {
        DType wide = DType.create(DType.DTypeEnum.DECIMAL64, child.getType().getScale());
        yield e.bits(e.cast(child, wide), DType.INT64);
      }
      case MAKE_DECIMAL -> {
        DecimalType type = (DecimalType) unary.type();
        ColumnView digits = e.bits(child, DType.create(DType.DTypeEnum.DECIMAL64, -type.scale()));
        BigInteger bound = BigInteger.TWO.pow(63);
        yield DecimalArithmetic.fitted(digits, bound, type.scale(), type, unary.mode(), e);
      }
    };
  }

  private static ColumnVector negated(Unary unary, ColumnVector child, Evaluation e) {
    DType type = child.getType();
    if (ScalarTypes.isFloating(unary.type())) {
      // Zero less zero would lose the sign of the zero.
      return e.binary(BinaryOp.MUL, child, e.number(-1, type), type);
    } else if (unary.type() instanceof DecimalType decimal) {
      requireFewDigits(decimal, child, e);
    } else if (unary.mode() == Mode.ANSI) {
      long least = Long.MIN_VALUE >> (64 - 8 * type.getSizeInBytes());
      e.refuse(e.test(BinaryOp.EQUAL, child, e.number(least, type)), NumberArithmetic.OVERFLOW);
    }
    return minus(child, e);
  }

  /** Refuses decimals of more than 34 digits: Spark rounds the result of their negation to 34. */
  private static void requireFewDigits(DecimalType type, ColumnView values, Evaluation e) {
    int digits = MathContext.DECIMAL128.getPrecision();
    if (type.precision() > digits
        && e.magnitude(values).compareTo(BigInteger.TEN.pow(digits)) >= 0) {
      throw new SparkFallbackException("the negation of a decimal of more than 34 digits");
    }
  }

  private static ColumnVector minus(ColumnView values, Evaluation e) {
    DType type = values.getType();
    Scalar zero =
        type.isDecimalType()
            ? e.keep(Scalar.fromDecimal(BigInteger.ZERO, type))
            : e.number(0, type);
    return e.binary(BinaryOp.SUB, zero, values, type);
  }

  /** The absolute values; the least integer, which has none, stays as on the JVM. */
  private static ColumnVector absolute(Unary unary, ColumnVector child, Evaluation e) {
    if (ScalarTypes.isFloating(unary.type())) {
      return e.keep(child.abs());
    }
    return e.binary(BinaryOp.NULL_MAX, child, negated(unary, child, e), child.getType());
  }

  /** The floor of decimals, of scale zero and the same width. */
  private static ColumnVector floor(ColumnVector decimals, Evaluation e) {
    DType type = decimals.getType();
    Scalar one = e.keep(Scalar.fromDecimal(BigInteger.TEN.pow(-type.getScale()), type));
    ColumnVector rest = e.binary(BinaryOp.PMOD, decimals, one, type);
    ColumnVector whole = e.binary(BinaryOp.SUB, decimals, rest, type);
    return e.cast(whole, DType.create(type.getTypeId(), 0));
  }
}
