package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DecimalUtils;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.SparkFallbackException;
import java.math.BigInteger;
import org.apache.spark.sql.types.DecimalType;

/** What sums and averages of decimals have in common. */
final class DecimalSums {
  private DecimalSums() {}

  /** The input in the type of the sum, when no sum of it can overflow. */
  static ColumnVector widened(ColumnVector input, DeviceExpr of, DecimalType sum) {
    DecimalType type = (DecimalType) of.type();
    SumOverflow.checkDecimals(input, type.precision(), input.getRowCount());
    return input.castTo(width(sum));
  }

  /** A partial sum to be added to others, when that cannot overflow and none has. */
  static ColumnVector partial(ColumnVector sums, DeviceExpr of, int most) {
    if (sums.hasNulls()) {
      // Spark's, of rows that it had to compute.
      throw new SparkFallbackException("a sum has overflowed");
    }
    SumOverflow.checkDecimals(sums, ((DecimalType) of.type()).precision(), most);
    return sums.incRefCount();
  }

  /** A sum with zero in the place of null. */
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
