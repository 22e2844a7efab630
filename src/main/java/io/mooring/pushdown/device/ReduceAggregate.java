package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.device.SignedZeros;
import io.mooring.pushdown.AggregateCall;
import io.mooring.pushdown.AggregateCall.Kind;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Computes one aggregate over all rows of a device column. */
final class ReduceAggregate {
  private ReduceAggregate() {}

  /** In Spark's internal form. */
  static @Nullable Object reduce(AggregateCall call, ColumnVector input) {
    DataType type = call.argument().type();
    return switch (call.kind()) {
      case COUNT -> input.getRowCount() - input.getNullCount();
      case SUM -> sum(input, ScalarTypes.isFloating(type));
      default -> extreme(call.kind(), input, type);
    };
  }

  private static @Nullable Object sum(ColumnVector input, boolean floating) {
    try (Scalar sum = input.sum(floating ? DType.FLOAT64 : DType.INT64)) {
      return ScalarValues.of(sum, floating ? DataTypes.DoubleType : DataTypes.LongType);
    }
  }

  private static @Nullable Object extreme(Kind kind, ColumnVector input, DataType type) {
    if (ScalarTypes.isFloating(type)) {
      return floatingExtreme(kind, input, type);
    }
    try (Scalar scalar = kind == Kind.MIN ? input.min() : input.max()) {
      Object extreme = ScalarValues.of(scalar, type);
      if (extreme instanceof UTF8String text) {
        ExtremeChecks.checkText(text);
      }
      return extreme;
    }
  }

  /**
   * The minimum or maximum in Spark's order, in which NaN is greatest: the maximum is NaN if any
   * value is, the minimum only if there is no other number.
   */
  private static @Nullable Object floatingExtreme(Kind kind, ColumnVector input, DataType type) {
    try (ColumnVector numbers = input.nansToNulls();
        Scalar scalar = kind == Kind.MIN ? numbers.min() : numbers.max()) {
      boolean nan = numbers.getNullCount() > input.getNullCount();
      if (nan && (kind == Kind.MAX || !scalar.isValid())) {
        return type.equals(DataTypes.FloatType) ? (Object) Float.NaN : (Object) Double.NaN;
      }
      Object extreme = ScalarValues.of(scalar, type);
      if (extreme instanceof Number number && number.doubleValue() == 0) {
        SignedZeros.check(input);
      }
      return extreme;
    }
  }

  /** Conversion of cudf's scalars to Spark's internal form. */
  private static final class ScalarValues {
    private ScalarValues() {}

    static @Nullable Object of(Scalar scalar, DataType type) {
      if (!scalar.isValid()) {
        return null;
      } else if (type instanceof DecimalType decimal) {
        return Decimal.apply(scalar.getBigDecimal(), decimal.precision(), decimal.scale());
      } else if (type.equals(DataTypes.StringType)) {
        return UTF8String.fromBytes(scalar.getUTF8());
      } else if (type.equals(DataTypes.FloatType)) {
        return scalar.getFloat();
      } else if (type.equals(DataTypes.DoubleType)) {
        return scalar.getDouble();
      }
      return integer(scalar, type);
    }

    private static Object integer(Scalar scalar, DataType type) {
      if (type.equals(DataTypes.BooleanType)) {
        return scalar.getBoolean();
      } else if (type.equals(DataTypes.ByteType)) {
        return scalar.getByte();
      } else if (type.equals(DataTypes.ShortType)) {
        return scalar.getShort();
      } else if (type.equals(DataTypes.IntegerType) || type.equals(DataTypes.DateType)) {
        return scalar.getInt();
      }
      return scalar.getLong();
    }
  }
}
