package io.mooring.columnar;

import java.util.List;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Structs: a column for each field, with a row for each struct, null ones too. */
final class StructColumn extends HostColumn {
  private final ColumnVector[] fields;

  /** Takes over {@code fields}. */
  StructColumn(
      StructType type, SharedBuffer buffer, ColumnLayout layout, List<ColumnVector> fields) {
    super(type, buffer, layout, fields);
    this.fields = fields.toArray(ColumnVector[]::new);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return fields[ordinal];
  }
}
