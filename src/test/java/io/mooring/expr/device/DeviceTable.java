package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import io.mooring.columnar.CudfTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Spark's rows as device columns, and values of both in one form that can be compared. */
final class DeviceTable {
  private DeviceTable() {}

  static DeviceBatch batch(List<InternalRow> rows, StructType schema) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int c = 0; c < schema.size(); c++) {
      DataType type = schema.apply(c).dataType();
      int ordinal = c;
      columns.add(
          column(type, rows.stream().map(row -> row.get(ordinal, type)).toArray(Object[]::new)));
    }
    return new DeviceBatch(columns, rows.size());
  }

  private static ColumnVector column(DataType type, Object[] values) {
    if (type instanceof DecimalType decimal) {
      return decimals(decimal, values);
    }
    return switch (type.typeName()) {
      case "boolean" -> ColumnVector.fromBoxedBooleans(of(values, Boolean[]::new));
      case "byte" -> ColumnVector.fromBoxedBytes(of(values, Byte[]::new));
      case "short" -> ColumnVector.fromBoxedShorts(of(values, Short[]::new));
      case "integer" -> ColumnVector.fromBoxedInts(of(values, Integer[]::new));
      case "long" -> ColumnVector.fromBoxedLongs(of(values, Long[]::new));
      case "float" -> ColumnVector.fromBoxedFloats(of(values, Float[]::new));
      case "double" -> ColumnVector.fromBoxedDoubles(of(values, Double[]::new));
      case "date" -> ColumnVector.timestampDaysFromBoxedInts(of(values, Integer[]::new));
      case "timestamp" -> ColumnVector.timestampMicroSecondsFromBoxedLongs(of(values, Long[]::new));
      default ->
          ColumnVector.fromStrings(
              Arrays.stream(values)
                  .map(text -> text == null ? null : text.toString())
                  .toArray(String[]::new));
    };
  }

  private static <T> T[] of(Object[] values, IntFunction<T[]> array) {
    return Arrays.stream(values).toArray(array);
  }

  private static ColumnVector decimals(DecimalType type, Object[] values) {
    BigInteger[] digits =
        Arrays.stream(values)
            .map(it -> it == null ? null : CudfTypes.unscaled((Decimal) it, CudfTypes.of(type)))
            .toArray(BigInteger[]::new);
    try (ColumnVector wide = ColumnVector.decimalFromBigInt(-type.scale(), digits)) {
      return wide.castTo(CudfTypes.of(type));
    }
  }

  /** A value of a device column. */
  static @Nullable Object value(HostColumnVector column, int row, DataType type) {
    if (column.isNull(row)) {
      return null;
    } else if (type instanceof DecimalType) {
      return column.getBigDecimal(row);
    }
    return switch (type.typeName()) {
      case "boolean" -> column.getBoolean(row);
      case "byte" -> column.getByte(row);
      case "short" -> column.getShort(row);
      case "integer", "date" -> column.getInt(row);
      case "long", "timestamp" -> column.getLong(row);
      case "float" -> column.getFloat(row);
      case "double" -> column.getDouble(row);
      default -> column.getJavaString(row);
    };
  }

  /** A value of Spark's. */
  static @Nullable Object value(@Nullable Object value, DataType type) {
    if (value instanceof Decimal decimal) {
      BigDecimal exact = decimal.toJavaBigDecimal();
      return exact.setScale(((DecimalType) type).scale());
    }
    return value instanceof UTF8String text ? text.toString() : value;
  }
}
