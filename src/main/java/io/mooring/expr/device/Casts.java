package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.RegexProgram;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.DeviceExpr.Cast;
import io.mooring.expr.DeviceExpr.Mode;
import java.math.BigInteger;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** Casts among numbers, from booleans and strings, and to booleans and strings. */
final class Casts {
  // From here on, not every integer has an equal double.
  private static final BigInteger EXACT_DOUBLE = BigInteger.TWO.pow(53);
  private static final int GREATEST_EXACT_POWER_OF_TEN = 22;
  private static final int DIGITS_OF_ANY_LONG = 18;

  private Casts() {}

  static ColumnView values(Cast cast, Evaluation e) {
    ColumnVector child = e.asked(e.column(cast.child()));
    DataType from = cast.child().type();
    DataType to = cast.type();
    if (from.equals(DataTypes.StringType)) {
      return to instanceof DecimalType decimal
          ? StringToDecimalCasts.decimals(cast, child, decimal, e)
          : StringToIntegerCasts.integers(cast, child, e);
    } else if (to.equals(DataTypes.TimestampType)) {
      return DateFunctions.timestamps(child, cast.zone(), e);
    } else if (from.equals(DataTypes.TimestampType)) {
      return DateFunctions.dates(child, cast.zone(), e);
    } else if (to.equals(DataTypes.StringType)) {
      return from instanceof DecimalType decimal
          ? DecimalToStringCasts.strings(cast, child, decimal, e)
          : strings(child, from, e);
    } else if (to.equals(DataTypes.BooleanType)) {
      return e.test(BinaryOp.NOT_EQUAL, child, zero(child.getType(), e));
    } else if (from instanceof DecimalType decimal) {
      return ofDecimals(cast, child, decimal, e);
    } else if (to instanceof DecimalType decimal) {
      return ScalarTypes.isFloating(from)
          ? FloatingToDecimalCasts.decimals(cast, child, decimal, e)
          : decimals(cast, child, decimal, e);
    } else if (ScalarTypes.isFloating(from) && !ScalarTypes.isFloating(to)) {
      return whole(cast, child, e);
    } else if (ScalarTypes.isFloating(to) || from.equals(DataTypes.BooleanType)) {
      return e.cast(child, CudfTypes.of(to));
    }
    return narrowed(cast.mode(), child, CudfTypes.of(to), e);
  }

  private static Scalar zero(DType type, Evaluation e) {
    return type.isDecimalType()
        ? e.keep(Scalar.fromDecimal(BigInteger.ZERO, type))
        : e.number(0, type);
  }

  /** Integers of another width: the last bytes, or null or an error by the mode. */
  private static ColumnView narrowed(Mode mode, ColumnView integers, DType type, Evaluation e) {
    ColumnVector cut = e.cast(integers, type);
    return mode == Mode.LEGACY || type.getSizeInBytes() >= integers.getType().getSizeInBytes()
        ? cut
        : e.settle(
            mode, NumberArithmetic.outside(integers, type, e), cut, NumberArithmetic.OVERFLOW);
  }

  private static ColumnView decimals(
      Cast cast, ColumnVector integers, DecimalType type, Evaluation e) {
    BigInteger bound = BigInteger.TWO.pow(8 * integers.getType().getSizeInBytes() - 1);
    DType whole = DecimalArithmetic.width(bound, 0);
    return DecimalArithmetic.fitted(e.cast(integers, whole), bound, 0, type, cast.mode(), e);
  }

  private static ColumnView ofDecimals(
      Cast cast, ColumnVector child, DecimalType from, Evaluation e) {
    BigInteger bound = BigInteger.TEN.pow(from.precision()).subtract(BigInteger.ONE);
    if (cast.type() instanceof DecimalType to) {
      return DecimalArithmetic.fitted(child, bound, from.scale(), to, cast.mode(), e);
    } else if (cast.type().equals(DataTypes.DoubleType)) {
      return doubles(child, bound, from, e);
    }
    boolean rounds = cast.mode() != Mode.LEGACY && !cast.type().equals(DataTypes.LongType);
    if (rounds && bound.compareTo(EXACT_DOUBLE) >= 0) {
      // Spark gives the double nearest to a decimal, unless it holds the decimal as a long.
      require(e.magnitude(child).compareTo(EXACT_DOUBLE) < 0, "a decimal is no exact double");
    }
    if (from.precision() - from.scale() > DIGITS_OF_ANY_LONG) {
      BigInteger digits = e.magnitude(child).divide(BigInteger.TEN.pow(from.scale()));
      require(digits.bitLength() < Long.SIZE, "a decimal is no long");
    }
    return narrowed(cast.mode(), e.cast(child, DType.INT64), CudfTypes.of(cast.type()), e);
  }

  /** One division of two exact doubles gives the nearest double, as on the JVM. */
  private static ColumnView doubles(
      ColumnVector child, BigInteger bound, DecimalType from, Evaluation e) {
    require(from.scale() <= GREATEST_EXACT_POWER_OF_TEN, "a decimal of many places as a double");
    if (bound.compareTo(EXACT_DOUBLE) >= 0) {
      require(e.magnitude(child).compareTo(EXACT_DOUBLE) < 0, "a decimal is no exact double");
    }
    ColumnView whole = e.bits(child, DType.create(child.getType().getTypeId(), 0));
    ColumnVector digits = e.cast(e.cast(whole, DType.INT64), DType.FLOAT64);
    double unit = BigInteger.TEN.pow(from.scale()).doubleValue();
    return e.binary(BinaryOp.DIV, digits, e.number(unit, DType.FLOAT64), DType.FLOAT64);
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new SparkFallbackException(reason);
    }
  }

  /**
   * Floating-point numbers without their fraction: the nearest int or long, zero for NaN, as the
   * JVM has them; narrower integers are the last bytes of that int.
   */
  private static ColumnView whole(Cast cast, ColumnVector floating, Evaluation e) {
    DType to = CudfTypes.of(cast.type());
    DType wide = to.equals(DType.INT64) ? DType.INT64 : DType.INT32;
    ColumnVector doubles = e.cast(floating, DType.FLOAT64);
    int bits = 8 * (cast.mode() == Mode.LEGACY ? wide : to).getSizeInBytes() - 1;
    double limit = Math.scalb(1.0, bits);
    ColumnVector above = e.test(BinaryOp.GREATER_EQUAL, doubles, e.number(limit, DType.FLOAT64));
    // All doubles of that size are whole numbers in the case of longs.
    double least = to.equals(DType.INT64) ? -limit : -limit - 1;
    BinaryOp operator = to.equals(DType.INT64) ? BinaryOp.LESS : BinaryOp.LESS_EQUAL;
    ColumnVector below = e.test(operator, doubles, e.number(least, DType.FLOAT64));
    ColumnVector nan = e.keep(doubles.isNan());
    ColumnVector outside = e.test(BinaryOp.LOGICAL_OR, above, below);
    ColumnVector safe =
        e.select(e.test(BinaryOp.LOGICAL_OR, outside, nan), e.number(0, DType.FLOAT64), doubles);
    ColumnVector cut = e.cast(safe, wide);
    if (cast.mode() != Mode.LEGACY) {
      ColumnVector failing = e.test(BinaryOp.LOGICAL_OR, outside, nan);
      return e.settle(cast.mode(), failing, e.cast(cut, to), NumberArithmetic.OVERFLOW);
    }
    long most = wide.equals(DType.INT64) ? Long.MAX_VALUE : Integer.MAX_VALUE;
    ColumnVector high = e.select(above, e.number(most, wide), cut);
    return e.cast(e.select(below, e.number(-most - 1, wide), high), to);
  }

  private static ColumnView strings(ColumnVector child, DataType from, Evaluation e) {
    if (from.equals(DataTypes.DateType)) {
      DateFunctions.requireFourDigits(child, e);
    }
    return e.keep(child.asStrings());
  }

  /** Casts of strings to integers. */
  private static final class StringToIntegerCasts {
    // So many bytes, with a sign or without, always fit a long.
    private static final int MOST_BYTES = 18;
    // Strings with spaces, fractions or more digits may be numbers for Spark.
    private static final RegexProgram MAY_BE_A_NUMBER = new RegexProgram("[0-9.]");

    private StringToIntegerCasts() {}

    static ColumnView integers(Cast cast, ColumnVector text, Evaluation e) {
      ColumnVector bytes = e.keep(text.getByteCount());
      ColumnVector few = e.test(BinaryOp.LESS_EQUAL, bytes, e.number(MOST_BYTES, DType.INT32));
      ColumnVector plain = e.test(BinaryOp.LOGICAL_AND, e.keep(text.isInteger()), few);
      ColumnVector others = e.isTrue(e.not(plain));
      refuseNumbers(cast.mode(), text, others, e);
      ColumnVector longs = e.cast(e.nullWhere(others, text), DType.INT64);
      DType type = CudfTypes.of(cast.type());
      return type.equals(DType.INT64)
          ? longs
          : e.settle(
              cast.mode(),
              NumberArithmetic.outside(longs, type, e),
              e.cast(longs, type),
              NumberArithmetic.OVERFLOW);
    }

    private static void refuseNumbers(
        Mode mode, ColumnVector text, ColumnVector others, Evaluation e) {
      if (mode == Mode.ANSI) {
        e.refuse(others, "a string that is not a number");
        return;
      }
      ColumnVector may = e.keep(e.nullWhere(e.not(others), text).containsRe(MAY_BE_A_NUMBER));
      e.refuse(may, "a number with characters other than digits");
    }
  }
}
