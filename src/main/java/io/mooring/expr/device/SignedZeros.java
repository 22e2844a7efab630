package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;

/**
 * Zeros of both signs among floating-point numbers. 0.0 and -0.0 are equal, and Spark's minimum or
 * maximum is the one that it meets first, where libcudf's may be either.
 */
public final class SignedZeros {
  private SignedZeros() {}

  /**
   * Checks that all zeros have one sign.
   *
   * @param numbers floats or doubles, of which zero is the minimum or maximum
   * @throws SparkFallbackException when there are zeros of both signs
   */
  public static void check(ColumnVector numbers) {
    boolean isFloat = numbers.getType().equals(DType.FLOAT32);
    try (ColumnView bits = numbers.bitCastTo(isFloat ? DType.INT32 : DType.INT64);
        Scalar positive = isFloat ? Scalar.fromInt(0) : Scalar.fromLong(0);
        Scalar negative =
            isFloat ? Scalar.fromInt(Integer.MIN_VALUE) : Scalar.fromLong(Long.MIN_VALUE);
        ColumnVector positives = bits.equalTo(positive);
        ColumnVector negatives = bits.equalTo(negative)) {
      if (isAny(positives) && isAny(negatives)) {
        throw new SparkFallbackException("both 0.0 and -0.0 are extremes of a column");
      }
    }
  }

  /** Checks the zeros of grouped numbers if zero is the extreme of a group, as {@link #check}. */
  public static void checkGroups(ColumnVector extremes, ColumnVector numbers) {
    try (Scalar zero =
            extremes.getType().equals(DType.FLOAT32) ? Scalar.fromFloat(0) : Scalar.fromDouble(0);
        ColumnVector zeros = extremes.equalTo(zero)) {
      if (isAny(zeros)) {
        check(numbers);
      }
    }
  }

  private static boolean isAny(ColumnVector flags) {
    try (Scalar any = flags.any()) {
      return any.isValid() && any.getBoolean();
    }
  }
}
