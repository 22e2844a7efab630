package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;

/**
 * Minima and maxima of groups of floating-point numbers in Spark's order, in which NaN is greatest.
 * libcudf has another order, so that it computes the extreme of the other numbers alone.
 */
final class FloatingExtremes {
  private FloatingExtremes() {}

  /**
   * The extreme of each group: NaN is the maximum when there is one, and the minimum when there is
   * nothing else. The caller closes the column; the arguments stay its own.
   *
   * @param numbers the extreme of the values that are not NaN; null where all are
   * @param values how many there are, NaN among them
   * @param count how many of them are not NaN
   */
  static ColumnVector withNan(
      boolean max, ColumnVector numbers, ColumnVector values, ColumnVector count) {
    try (Scalar zero = Scalar.fromInt(0);
        ColumnVector someNan = values.greaterThan(count);
        ColumnVector noNumber = count.equalTo(zero);
        ColumnVector nanAlone = someNan.and(noNumber);
        Scalar nan = nan(numbers.getType())) {
      return (max ? someNan : nanAlone).ifElse(nan, numbers);
    }
  }

  private static Scalar nan(DType type) {
    return type.equals(DType.FLOAT32) ? Scalar.fromFloat(Float.NaN) : Scalar.fromDouble(Double.NaN);
  }
}
