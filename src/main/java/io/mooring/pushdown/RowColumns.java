package io.mooring.pushdown;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The columns of the current row, by name. Not thread-safe. */
public final class RowColumns {
  /** A row for expressions without columns. */
  static final RowColumns NONE = new RowColumns(new StructType());

  private final Map<String, Integer> ordinals = new HashMap<>();
  private InternalRow row = InternalRow.empty();

  /**
   * @param schema of the rows to come
   */
  public RowColumns(StructType schema) {
    for (int i = 0; i < schema.length(); i++) {
      ordinals.put(schema.fields()[i].name(), i);
    }
  }

  /** Makes another row the current one. */
  public RowColumns of(InternalRow next) {
    row = next;
    return this;
  }

  @Nullable Object value(Column column) {
    Integer ordinal = ordinals.get(column.name());
    if (ordinal == null) {
      throw new IllegalStateException("There is no column " + column.name());
    }
    return row.isNullAt(ordinal) ? null : row.get(ordinal, column.type());
  }
}
