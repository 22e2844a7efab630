package io.mooring.columnar;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DecimalUtils;
import ai.rapids.cudf.Scalar;
import java.math.BigInteger;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Spark's types and values as libcudf's. */
public final class CudfTypes {
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
          Map.entry(DataTypes.TimestampNTZType, DType.TIMESTAMP_MICROSECONDS),
          Map.entry(DataTypes.StringType, DType.STRING),
          Map.entry(DataTypes.BinaryType, DType.STRING));

  private CudfTypes() {}

  /**
   * The device type of a Spark type; for decimals the narrowest that holds the precision.
   *
   * @throws IllegalArgumentException for nested types and others that libcudf does not have
   */
  public static DType of(DataType type) {
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
   * Whether a decoded column of a device type, without its children, has values of a Spark type.
   */
  static boolean hasValuesOf(DType decoded, DataType wanted) {
    return decoded.equals(TYPES.get(wanted));
  }

  /**
   * A value of Catalyst's as a scalar that the caller closes.
   *
   * @param as the type of the column that it meets: decimals come in three widths
   */
  public static Scalar scalar(@Nullable Object value, DType as) {
    if (value == null) {
      return Scalar.fromNull(as);
    } else if (value instanceof Decimal decimal) {
      return Scalar.fromDecimal(unscaled(decimal, as), as);
    } else if (value instanceof UTF8String text) {
      return Scalar.fromUTF8String(text.getBytes());
    } else if (as.equals(DType.TIMESTAMP_DAYS)) {
      return Scalar.timestampDaysFromInt((Integer) value);
    } else if (as.equals(DType.TIMESTAMP_MICROSECONDS)) {
      return Scalar.timestampFromLong(as, (Long) value);
    } else if (value instanceof Boolean flag) {
      return Scalar.fromBool(flag);
    }
    return number((Number) value, as);
  }

  /** A decimal's digits with the scale of a type, which the decimal need not have itself. */
  public static BigInteger unscaled(Decimal decimal, DType type) {
    return decimal.toJavaBigDecimal().setScale(-type.getScale()).unscaledValue();
  }

  /** A number as a scalar of a type that is no decimal; the caller closes it. */
  public static Scalar number(Number value, DType type) {
    return switch (type.getTypeId()) {
      case INT8 -> Scalar.fromByte(value.byteValue());
      case INT16 -> Scalar.fromShort(value.shortValue());
      case INT32 -> Scalar.fromInt(value.intValue());
      case INT64 -> Scalar.fromLong(value.longValue());
      case FLOAT32 -> Scalar.fromFloat(value.floatValue());
      case FLOAT64 -> Scalar.fromDouble(value.doubleValue());
      default -> throw new IllegalArgumentException("No number of type " + type);
    };
  }
}
