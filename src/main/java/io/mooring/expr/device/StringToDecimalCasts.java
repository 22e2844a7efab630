package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.RegexProgram;
import io.mooring.expr.DeviceExpr.Cast;
import io.mooring.expr.DeviceExpr.Mode;
import java.math.BigInteger;
import org.apache.spark.sql.types.DecimalType;

/**
 * Casts of strings to decimals. libcudf cuts what it parses at the last place, so that numbers with
 * more places are parsed to one place more, the one by which Spark rounds, and then rounded.
 */
final class StringToDecimalCasts {
  private static final RegexProgram PLAIN = new RegexProgram("^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)$");
  private static final RegexProgram DIGIT = new RegexProgram("[0-9]");
  // The visible ASCII characters that are in no number: all but signs, points, digits, e and E.
  private static final RegexProgram FOREIGN = new RegexProgram("[!-*,/:-DF-df-~]");

  private StringToDecimalCasts() {}

  static ColumnView decimals(Cast cast, ColumnVector text, DecimalType type, Evaluation e) {
    // All characters up to the space are cut off, as by Spark.
    ColumnVector bare = e.keep(text.strip());
    ColumnVector others = e.isTrue(e.not(e.keep(bare.containsRe(PLAIN))));
    if (e.any(others)) {
      refuseNumbers(cast.mode(), bare, others, e);
    }
    return parsed(cast.mode(), e.nullWhere(others, bare), type, e);
  }

  /** Leaves rows to Spark that are, or may be, numbers of another form. */
  private static void refuseNumbers(
      Mode mode, ColumnVector text, ColumnVector others, Evaluation e) {
    if (mode == Mode.ANSI) {
      e.refuse(others, "a string that is not a number");
    }
    ColumnVector rest = e.nullWhere(e.not(others), text);
    // Java's decimals have digits of all scripts.
    ColumnVector wide =
        e.test(BinaryOp.NOT_EQUAL, e.keep(rest.getCharLengths()), e.keep(rest.getByteCount()));
    ColumnVector may = e.test(BinaryOp.LOGICAL_OR, wide, e.keep(rest.containsRe(DIGIT)));
    ColumnVector not = e.keep(rest.containsRe(FOREIGN));
    e.refuse(
        e.test(BinaryOp.LOGICAL_AND, may, e.not(not)), "a number of other characters than digits");
  }

  /** Strings of digits, with a sign and a point or without, as decimals. */
  private static ColumnView parsed(Mode mode, ColumnVector plain, DecimalType type, Evaluation e) {
    ColumnVector digits = e.keep(plain.lstrip(e.text("+-0")));
    ColumnVector length = e.keep(digits.getByteCount());
    ColumnVector point = e.keep(digits.stringLocate(e.text(".")));
    ColumnVector none = e.test(BinaryOp.LESS, point, e.number(0, DType.INT32));
    ColumnVector whole = e.select(none, length, point);
    ColumnVector tooLong =
        e.test(BinaryOp.GREATER, whole, e.number(type.precision() - type.scale(), DType.INT32));
    ColumnView fitting = e.settle(mode, tooLong, plain, "a number of too many digits");
    ColumnVector rest = e.binary(BinaryOp.SUB, length, whole, DType.INT32);
    // The point counts as one of them.
    boolean rounds = e.any(e.test(BinaryOp.GREATER, rest, e.number(type.scale() + 1, DType.INT32)));
    int places = type.scale() + (rounds ? 1 : 0);
    int most = e.magnitude(e.nullWhere(tooLong, whole)).intValue() + places;
    if (most > DType.DECIMAL128_MAX_PRECISION) {
      throw new SparkFallbackException("a number of more than 38 digits");
    }
    BigInteger bound = BigInteger.TEN.pow(most).subtract(BigInteger.ONE);
    ColumnVector exact = e.cast(fitting, DecimalArithmetic.width(bound, places));
    return DecimalArithmetic.fitted(exact, bound, places, type, mode, e);
  }
}
