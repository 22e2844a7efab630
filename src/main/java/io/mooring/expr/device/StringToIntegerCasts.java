package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.RegexProgram;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.DeviceExpr.Cast;
import io.mooring.expr.DeviceExpr.Mode;

/** Casts of strings to integers. */
final class StringToIntegerCasts {
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
