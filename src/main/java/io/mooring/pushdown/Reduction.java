package io.mooring.pushdown;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.pushdown.AggregateCall.Kind;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** One aggregate over all rows of a device table. */
final class Reduction {
  private Reduction() {}

  /** In Spark's internal form. */
  static @Nullable Object of(AggregateCall call, DeviceEvaluator device) {
    if (call.kind() == Kind.COUNT_ROWS) {
      return (long) device.columns().rows();
    }
    try (ColumnVector input = device.values(call.given())) {
      return switch (call.kind()) {
        case COUNT -> input.getRowCount() - input.getNullCount();
        case SUM -> sum(input, call.given());
        default -> extreme(call.kind(), input, call.given().type());
      };
    }
  }

  private static @Nullable Object sum(ColumnVector input, Expr given) {
    if (SumBound.isNeeded(given)) {
      SumBound.check(input);
    }
    boolean floating = ExprTypes.isFloating(given.type());
    try (Scalar sum = input.sum(floating ? DType.FLOAT64 : DType.INT64)) {
      return DeviceValues.of(sum, floating ? DataTypes.DoubleType : DataTypes.LongType);
    }
  }

  private static @Nullable Object extreme(Kind kind, ColumnVector input, DataType type) {
    if (ExprTypes.isFloating(type)) {
      return floatingExtreme(kind, input, type);
    }
    try (Scalar scalar = kind == Kind.MIN ? input.min() : input.max()) {
      return DeviceValues.of(scalar, type);
    }
  }

  /** NaN is greatest: the maximum when there is one, the minimum when there is nothing else. */
  private static @Nullable Object floatingExtreme(Kind kind, ColumnVector input, DataType type) {
    try (ColumnVector numbers = input.nansToNulls();
        Scalar scalar = kind == Kind.MIN ? numbers.min() : numbers.max()) {
      boolean nan = numbers.getNullCount() > input.getNullCount();
      if (nan && (kind == Kind.MAX || !scalar.isValid())) {
        return type.equals(DataTypes.FloatType) ? (Object) Float.NaN : (Object) Double.NaN;
      }
      return DeviceValues.of(scalar, type);
    }
  }
}
