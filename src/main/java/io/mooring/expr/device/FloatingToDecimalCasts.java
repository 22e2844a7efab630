package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.UnaryOp;
import io.mooring.expr.DeviceExpr.Cast;
import java.math.BigInteger;
import org.apache.spark.sql.types.DecimalType;

/**
 * Casts of floating-point numbers to decimals. Spark rounds the decimal digits that the JVM prints
 * for a double. A number halfway between two decimals has at most 15 digits here, so it is what the
 * JVM prints for its nearest double; any other double is on the same side of it as its digits are.
 * So comparing a double with the nearest double of the halfway number rounds it as Spark does.
 */
final class FloatingToDecimalCasts {
  private static final double MOST_UNITS = 1e14;

  private FloatingToDecimalCasts() {}

  static ColumnView decimals(Cast cast, ColumnVector floating, DecimalType type, Evaluation e) {
    if (type.scale() > DType.DECIMAL64_MAX_PRECISION) {
      throw new SparkFallbackException("a double as a decimal of many places");
    }
    double unit = Math.pow(10, type.scale());
    ColumnVector doubles = e.cast(floating, DType.FLOAT64);
    ColumnVector size = e.keep(doubles.unaryOp(UnaryOp.ABS));
    ColumnVector units = times(size, unit, e);
    // Not less than the limit: infinite, or not a number.
    ColumnVector few = e.test(BinaryOp.LESS, units, e.number(MOST_UNITS, DType.FLOAT64));
    e.refuse(e.not(few), "a double of more digits than a decimal takes exactly");
    ColumnVector whole = e.cast(e.nullWhere(e.not(few), units), DType.INT64);
    ColumnVector rounded = rounded(size, whole, unit, e);
    ColumnVector negative = e.test(BinaryOp.LESS, doubles, e.number(0, DType.FLOAT64));
    ColumnVector minus = e.binary(BinaryOp.SUB, e.number(0L, DType.INT64), rounded, DType.INT64);
    ColumnView digits =
        e.bits(
            e.cast(e.select(negative, minus, rounded), DType.create(DType.DTypeEnum.DECIMAL64, 0)),
            DType.create(DType.DTypeEnum.DECIMAL64, -type.scale()));
    BigInteger bound = BigInteger.valueOf((long) MOST_UNITS);
    return DecimalArithmetic.fitted(digits, bound, type.scale(), type, cast.mode(), e);
  }

  /** Whole units, one more where a number is halfway to it or beyond. */
  private static ColumnVector rounded(
      ColumnVector size, ColumnVector whole, double unit, Evaluation e) {
    ColumnVector odd =
        e.binary(
            BinaryOp.ADD,
            times(e.cast(whole, DType.FLOAT64), 2, e),
            e.number(1, DType.FLOAT64),
            DType.FLOAT64);
    ColumnVector halfway =
        e.binary(BinaryOp.DIV, odd, e.number(2 * unit, DType.FLOAT64), DType.FLOAT64);
    ColumnVector up = e.cast(e.test(BinaryOp.GREATER_EQUAL, size, halfway), DType.INT64);
    return e.binary(BinaryOp.ADD, whole, up, DType.INT64);
  }

  private static ColumnVector times(ColumnVector numbers, double factor, Evaluation e) {
    return e.binary(BinaryOp.MUL, numbers, e.number(factor, DType.FLOAT64), DType.FLOAT64);
  }
}
