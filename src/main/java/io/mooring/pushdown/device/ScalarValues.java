package io.mooring.pushdown.device;

import ai.rapids.cudf.Scalar;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Conversion of cudf's scalars to Spark's internal form. */
final class ScalarValues {
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
