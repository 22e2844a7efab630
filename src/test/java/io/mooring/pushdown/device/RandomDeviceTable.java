package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.RandomRows;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** {@link RandomRows} on the device. */
final class RandomDeviceTable implements AutoCloseable {
  private final Map<String, ColumnVector> columns = new HashMap<>();
  private final int rows;

  RandomDeviceTable(RandomRows source) {
    rows = source.count();
    for (int c = 0; c < RandomRows.COLUMNS.size(); c++) {
      Column column = RandomRows.COLUMNS.get(c);
      columns.put(column.name(), column(column, source.values(c)));
    }
  }

  DeviceColumns columns() {
    return new DeviceColumns(columns, rows);
  }

  private static ColumnVector column(Column column, Object[] values) {
    if (column.type() instanceof DecimalType decimal) {
      return decimals(column, decimal, values);
    }
    return switch (column.type().typeName()) {
      case "boolean" -> ColumnVector.fromBoxedBooleans(of(values, Boolean[].class));
      case "byte" -> ColumnVector.fromBoxedBytes(of(values, Byte[].class));
      case "short" -> ColumnVector.fromBoxedShorts(of(values, Short[].class));
      case "integer" -> ColumnVector.fromBoxedInts(of(values, Integer[].class));
      case "long" -> ColumnVector.fromBoxedLongs(of(values, Long[].class));
      case "float" -> ColumnVector.fromBoxedFloats(of(values, Float[].class));
      case "double" -> ColumnVector.fromBoxedDoubles(of(values, Double[].class));
      case "date" -> ColumnVector.timestampDaysFromBoxedInts(of(values, Integer[].class));
      case "timestamp" ->
          ColumnVector.timestampMicroSecondsFromBoxedLongs(of(values, Long[].class));
      default ->
          ColumnVector.fromStrings(
              Arrays.stream(values)
                  .map(text -> text == null ? null : text.toString())
                  .toArray(String[]::new));
    };
  }

  private static <T> T[] of(Object[] values, Class<T[]> type) {
    return Arrays.copyOf(values, values.length, type);
  }

  private static ColumnVector decimals(Column column, DecimalType type, Object[] values) {
    Long[] unscaled =
        Arrays.stream(values)
            .map(value -> value == null ? null : ((Decimal) value).toUnscaledLong())
            .toArray(Long[]::new);
    ColumnVector longs = ColumnVector.decimalFromBoxedLongs(-type.scale(), unscaled);
    DType wanted = RandomRows.type(column);
    try (longs) {
      return longs.getType().equals(wanted) ? longs.incRefCount() : longs.castTo(wanted);
    }
  }

  @Override
  public void close() {
    columns.values().forEach(ColumnVector::close);
  }
}
