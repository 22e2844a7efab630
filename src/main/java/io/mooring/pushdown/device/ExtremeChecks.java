package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.device.SparkFallbackException;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Checks the minima and maxima that libcudf gives. Each check throws {@link SparkFallbackException}
 * where Spark's may be another.
 */
final class ExtremeChecks {
  /** The value with which libcudf starts a minimum of strings; all valid UTF-8 is less. */
  private static final UTF8String GREATEST =
      UTF8String.fromBytes(new byte[] {(byte) 0xf7, (byte) 0xbf, (byte) 0xbf, (byte) 0xbf});

  private ExtremeChecks() {}

  /** Checks the minimum or maximum of strings. */
  static void checkText(UTF8String extreme) {
    if (extreme.equals(GREATEST)) {
      throw textsNeeded();
    }
  }

  private static SparkFallbackException textsNeeded() {
    return new SparkFallbackException("strings of a minimum may not be UTF-8");
  }

  /**
   * Checks that all zeros among floating-point numbers have one sign, when zero is their minimum or
   * maximum. 0.0 and -0.0 are equal, and Spark keeps the one that it meets first.
   */
  static void checkZeros(ColumnVector input) {
    boolean isFloat = input.getType().equals(DType.FLOAT32);
    try (ColumnView bits = input.bitCastTo(isFloat ? DType.INT32 : DType.INT64);
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

  private static boolean isAny(ColumnVector flags) {
    try (Scalar any = flags.any()) {
      return any.isValid() && any.getBoolean();
    }
  }
}
