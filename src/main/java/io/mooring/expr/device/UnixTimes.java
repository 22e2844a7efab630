package io.mooring.expr.device;

import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_MILLIS;
import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_SECOND;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.UnixTime;
import java.math.BigInteger;

/** Timestamps and dates as numbers since 1970, and back. */
final class UnixTimes {
  private UnixTimes() {}

  static ColumnView values(UnixTime function, Evaluation e) {
    ColumnVector child = e.column(function.child());
    return switch (function.function()) {
      case SECONDS -> floored(child, MICROS_PER_SECOND, e);
      case MILLIS -> floored(child, MICROS_PER_MILLIS, e);
      case WHOLE_SECONDS ->
          e.binary(
              BinaryOp.DIV,
              e.bits(child, DType.INT64),
              e.number(MICROS_PER_SECOND, DType.INT64),
              DType.INT64);
      case MICROS -> e.bits(child, DType.INT64);
      case DAYS -> e.bits(child, DType.INT32);
      case OF_SECONDS -> timestamps(child, MICROS_PER_SECOND, e);
      case OF_MILLIS -> timestamps(child, MICROS_PER_MILLIS, e);
      case OF_MICROS -> e.bits(child, DType.TIMESTAMP_MICROSECONDS);
      case OF_DAYS -> e.bits(child, DType.TIMESTAMP_DAYS);
    };
  }

  /** Rounds down, also where the greatest multiple of the unit below is out of range. */
  private static ColumnView floored(ColumnView timestamps, long unit, Evaluation e) {
    ColumnView micros = e.bits(timestamps, DType.INT64);
    Scalar divisor = e.number(unit, DType.INT64);
    ColumnVector towardsZero = e.binary(BinaryOp.DIV, micros, divisor, DType.INT64);
    ColumnVector back = e.binary(BinaryOp.MUL, towardsZero, divisor, DType.INT64);
    ColumnVector above = e.test(BinaryOp.GREATER, back, micros);
    return e.binary(BinaryOp.SUB, towardsZero, e.cast(above, DType.INT64), DType.INT64);
  }

  private static ColumnView timestamps(ColumnView numbers, long unit, Evaluation e) {
    BigInteger most = BigInteger.valueOf(Long.MAX_VALUE / unit);
    if (e.magnitude(numbers).compareTo(most) > 0) {
      throw new SparkFallbackException("a number that is no timestamp");
    }
    ColumnVector micros = e.binary(BinaryOp.MUL, numbers, e.number(unit, DType.INT64), DType.INT64);
    return e.bits(micros, DType.TIMESTAMP_MICROSECONDS);
  }
}
