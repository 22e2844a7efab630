package io.mooring.expr.device;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DecimalUtils;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;

/** Spark's types and constants as libcudf's. */
public final class DeviceTypes {
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

  /** As {@link #of}, of columns too that no expression takes. */
  public static DType ofColumn(DataType type) {
    if (type.equals(DataTypes.BinaryType)) {
      return DType.STRING;
    }
    return type.equals(DataTypes.TimestampNTZType) ? DType.TIMESTAMP_MICROSECONDS : of(type);
  }

  static boolean isFloating(DataType type) {
    return type.equals(DataTypes.FloatType) || type.equals(DataTypes.DoubleType);
  }

  /** A constant as a scalar that the caller closes. */
  static Scalar scalar(DeviceExpr.Literal literal) {
    DType type = of(literal.type());
    Object value = literal.value();
    if (value == null) {
      return Scalar.fromNull(type);
    } else if (value instanceof Decimal decimal) {
      return Scalar.fromDecimal(unscaled(decimal, type), type);
    } else if (value instanceof UTF8String text) {
      return Scalar.fromUTF8String(text.getBytes());
    } else if (type.equals(DType.TIMESTAMP_DAYS)) {
      return Scalar.timestampDaysFromInt((Integer) value);
    } else if (type.equals(DType.TIMESTAMP_MICROSECONDS)) {
      return Scalar.timestampFromLong(type, (Long) value);
    } else if (value instanceof Boolean flag) {
      return Scalar.fromBool(flag);
    }
    return number((Number) value, type);
  }

  /** A constant's digits with the scale of its type, which a decimal need not have itself. */
  static java.math.BigInteger unscaled(Decimal decimal, DType type) {
    return decimal.toJavaBigDecimal().setScale(-type.getScale()).unscaledValue();
  }

  /** A number as a scalar of a type that is no decimal; the caller closes it. */
  static Scalar number(Number value, DType type) {
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
