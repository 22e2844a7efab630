package io.mooring.scan.plan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.device.DeviceColumns;
import io.mooring.scan.schema.ScanColumns;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a scan that have one value in all rows of a file: partition values, and null for
 * columns that the file lacks.
 */
public record ConstantColumns(ScanColumns scan) {

  /** The value of a column in a file, null when it differs from row to row. */
  public @Nullable Constant of(FilePlan plan, Column column) {
    for (int i = 0; i < scan.partition().length(); i++) {
      StructField field = scan.partition().fields()[i];
      if (field.name().equals(column.name())) {
        var values = plan.split().partitionValues();
        Object value = values.isNullAt(i) ? null : values.get(i, field.dataType());
        return new Constant(value, field.dataType());
      }
    }
    int at = scan.data().fieldIndex(column.name());
    return plan.columns().decodedAt()[at] < 0 ? new Constant(null, column.type()) : null;
  }

  /** The decoded columns by their names in the scan's schema. */
  public DeviceColumns device(FilePlan plan, Table table) {
    Map<String, ColumnVector> columns = new HashMap<>();
    for (int i = 0; i < scan.data().length(); i++) {
      int at = plan.columns().decodedAt()[i];
      if (at >= 0) {
        columns.put(scan.data().fields()[i].name(), table.getColumn(at));
      }
    }
    return new DeviceColumns(columns, (int) table.getRowCount());
  }
}
