package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DecimalUtils;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.SparkFallbackException;
import java.math.BigInteger;
import org.apache.spark.sql.types.DecimalType;

/** Operations that sums and averages of decimals share. */
final class DecimalSums {
  private DecimalSums() {}

  /** The input as the type of the sum, checked against overflow. */
  static ColumnVector widened(ColumnVector input, DeviceExpr of, DecimalType sum) {
    DecimalType type = (DecimalType) of.type();
    SumOverflow.checkDecimals(input, type.precision(), input.getRowCount());
    return input.castTo(width(sum));
  }

  /** Partial sums to be merged, checked against overflow. */
  static ColumnVector partial(ColumnVector sums, DeviceExpr of, int most) {
    if (sums.hasNulls()) {
      // Spark computed these partial sums and found an overflow.
      throw new SparkFallbackException("a sum has overflowed");
    }
    SumOverflow.checkDecimals(sums, ((DecimalType) of.type()).precision(), most);
    return sums.incRefCount();
  }

  /** The sum, with zero for null. */
  static ColumnVector orZero(ColumnVector sum) {
    try (Scalar zero = zero(sum.getType())) {
      return sum.replaceNulls(zero);
    }
  }

  private static Scalar zero(DType type) {
    return type.isDecimalType() ? Scalar.fromDecimal(BigInteger.ZERO, type) : Scalar.fromDouble(0);
  }

  private static DType width(DecimalType type) {
    return DecimalUtils.createDecimalType(type.precision(), type.scale());
  }
}
