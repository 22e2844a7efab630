package io.mooring.pushdown;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DecimalUtils;
import ai.rapids.cudf.Scalar;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;

/** Spark's types and values as libcudf's. */
final class DeviceTypes {
  private static final Map<DataType, DType> TYPES =
      Map.ofEntries(
          Map.entry(DataTypes.BooleanType, DType.BOOL8),
          Map.entry(DataTypes.ByteType, DType.INT8),
          Map.entry(DataTypes.ShortType, DType.INT16),
          Map.entry(DataTypes.IntegerType, DType.INT32),
          Map.entry(DataTypes.LongType, DType.INT64),
          Map.entry(DataTypes.FloatType, DType.FLOAT32),
          Map.entry(DataTypes.DoubleType, DType.FLOAT64),
          Map.entry(DataTypes.DateType, DType.TIMESTAMP_DAYS),
          Map.entry(DataTypes.TimestampType, DType.TIMESTAMP_MICROSECONDS),
          Map.entry(DataTypes.StringType, DType.STRING));

  private DeviceTypes() {}

  /** The device type of a Spark type; for decimals the narrowest that holds the precision. */
  static DType of(DataType type) {
    if (type instanceof DecimalType decimal) {
      return DecimalUtils.createDecimalType(decimal.precision(), decimal.scale());
    }
    DType known = TYPES.get(type);
    if (known == null) {
      throw new IllegalArgumentException("No device type for " + type.sql());
    }
    return known;
  }

  /**
   * A constant as a scalar that the caller closes.
   *
   * @param as the type of the column that it meets: decimals come in three widths
   */
  static Scalar scalar(Constant constant, DType as) {
    Object value = constant.value();
    if (value == null) {
      return Scalar.fromNull(as);
    } else if (value instanceof Decimal decimal) {
      return Scalar.fromDecimal(decimal.toJavaBigDecimal().unscaledValue(), as);
    } else if (value instanceof UTF8String text) {
      return Scalar.fromUTF8String(text.getBytes());
    } else if (constant.type().equals(DataTypes.DateType)) {
      return Scalar.timestampDaysFromInt((Integer) value);
    } else if (constant.type().equals(DataTypes.TimestampType)) {
      return Scalar.timestampFromLong(DType.TIMESTAMP_MICROSECONDS, (Long) value);
    }
    return number(value);
  }

  private static Scalar number(Object value) {
    if (value instanceof Boolean flag) {
      return Scalar.fromBool(flag);
    } else if (value instanceof Byte number) {
      return Scalar.fromByte(number);
    } else if (value instanceof Short number) {
      return Scalar.fromShort(number);
    } else if (value instanceof Integer number) {
      return Scalar.fromInt(number);
    } else if (value instanceof Long number) {
      return Scalar.fromLong(number);
    } else if (value instanceof Float number) {
      return Scalar.fromFloat(number);
    }
    return Scalar.fromDouble((Double) value);
  }
}
