package io.mooring.scan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.device.DeviceColumns;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Which columns of a scan are the same in every row of one file: partition values, and null for
 * columns that the file lacks.
 */
record FileConstants(StructType dataColumns, StructType partitionColumns) {

  /** The value of a column in a file, null when it differs from row to row. */
  @Nullable Constant of(FilePlan plan, Column column) {
    for (int i = 0; i < partitionColumns.length(); i++) {
      StructField field = partitionColumns.fields()[i];
      if (field.name().equals(column.name())) {
        var values = plan.split().partitionValues();
        Object value = values.isNullAt(i) ? null : values.get(i, field.dataType());
        return new Constant(value, field.dataType());
      }
    }
    int at = dataColumns.fieldIndex(column.name());
    return plan.columns().decodedAt()[at] < 0 ? new Constant(null, column.type()) : null;
  }

  /** The decoded columns by their names in the scan's schema. */
  DeviceColumns device(FilePlan plan, Table table) {
    Map<String, ColumnVector> columns = new HashMap<>();
    for (int i = 0; i < dataColumns.length(); i++) {
      int at = plan.columns().decodedAt()[i];
      if (at >= 0) {
        columns.put(dataColumns.fields()[i].name(), table.getColumn(at));
      }
    }
    return new DeviceColumns(columns, (int) table.getRowCount());
  }
}
