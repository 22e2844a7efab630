package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr.Cast;
import io.mooring.expr.DeviceExpr.Mode;
import java.math.BigInteger;
import org.apache.spark.sql.types.DecimalType;

/**
 * Casts of decimals to strings. Without ANSI mode Spark writes what {@link
 * java.math.BigDecimal#toString} does: below a millionth, and for a zero of more than six places, a
 * digit, the others after a point, and an exponent.
 */
final class DecimalToStringCasts {
  private static final int MOST_PLACES_OF_ANY_PLAIN = 6;

  private DecimalToStringCasts() {}

  static ColumnView strings(Cast cast, ColumnVector decimals, DecimalType type, Evaluation e) {
    ColumnVector plain = e.keep(decimals.asStrings());
    int places = type.scale() - MOST_PLACES_OF_ANY_PLAIN;
    if (cast.mode() == Mode.ANSI || places <= 0) {
      return plain;
    }
    ColumnView units = e.bits(decimals, DType.create(decimals.getType().getTypeId(), 0));
    ColumnVector tiny = e.isTrue(isWithin(units, BigInteger.TEN.pow(places), e));
    return e.any(tiny) ? e.select(tiny, scientific(units, tiny, type.scale(), e), plain) : plain;
  }

  /** Whether the size of numbers is below a bound. */
  private static ColumnVector isWithin(ColumnView numbers, BigInteger bound, Evaluation e) {
    Scalar above = DecimalOperand.scalar(bound, numbers.getType(), e);
    Scalar below = DecimalOperand.scalar(bound.negate(), numbers.getType(), e);
    return e.test(
        BinaryOp.LOGICAL_AND,
        e.test(BinaryOp.LESS, numbers, above),
        e.test(BinaryOp.GREATER, numbers, below));
  }

  /**
   * Unscaled values with an exponent.
   *
   * @param wanted where the result counts; other rows are null
   */
  private static ColumnVector scientific(
      ColumnView units, ColumnVector wanted, int scale, Evaluation e) {
    ColumnVector text = e.keep(e.nullWhere(e.not(wanted), units).asStrings());
    Scalar nothing = e.text("");
    ColumnVector sign = e.select(e.keep(text.startsWith(e.text("-"))), e.text("-"), nothing);
    ColumnVector digits = e.keep(text.lstrip(e.text("-")));
    ColumnVector length = e.keep(digits.getByteCount());
    ColumnVector single = e.test(BinaryOp.EQUAL, length, e.number(1, DType.INT32));
    ColumnVector point = e.select(single, nothing, e.text("."));
    ColumnVector exponent =
        e.binary(BinaryOp.SUB, length, e.number(scale + 1, DType.INT32), DType.INT32);
    return e.keep(
        ColumnVector.stringConcatenate(
            new ColumnView[] {
              sign,
              e.keep(digits.substring(0, 1)),
              point,
              e.keep(digits.substring(1)),
              e.asColumn(e.text("E")),
              e.keep(exponent.asStrings())
            }));
  }
}
