package io.mooring.columnar;

import java.util.List;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.jspecify.annotations.Nullable;

/** Maps: 32-bit offsets into the keys and values of all rows. */
final class MapColumn extends HostColumn {
  private final RowOffsets offsets;
  private final ColumnVector keys;
  private final ColumnVector values;

  /** Takes over {@code keys} and {@code values}. */
  MapColumn(
      MapType type,
      SharedBuffer buffer,
      ColumnLayout layout,
      ColumnVector keys,
      ColumnVector values) {
    super(type, buffer, layout, List.of(keys, values));
    this.offsets = new RowOffsets(layout.offsetsAddress());
    this.keys = keys;
    this.values = values;
  }

  @Override
  public @Nullable ColumnarMap getMap(int row) {
    return isNullAt(row)
        ? null
        : new ColumnarMap(keys, values, offsets.start(row), offsets.length(row));
  }
}
