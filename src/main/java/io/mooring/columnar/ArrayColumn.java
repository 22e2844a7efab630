package io.mooring.columnar;

import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.jspecify.annotations.Nullable;

/** Arrays: 32-bit offsets into the elements of all rows. */
final class ArrayColumn extends HostColumn {
  private final RowOffsets offsets;
  private final ColumnVector elements;

  /** Takes over {@code elements}. */
  ArrayColumn(ArrayType type, SharedBuffer buffer, ColumnLayout layout, ColumnVector elements) {
    super(type, buffer, layout, List.of(elements));
    this.offsets = new RowOffsets(layout.offsetsAddress());
    this.elements = elements;
  }

  @Override
  public @Nullable ColumnarArray getArray(int row) {
    return isNullAt(row)
        ? null
        : new ColumnarArray(elements, offsets.start(row), offsets.length(row));
  }
}
