package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import java.util.Map;
import java.util.Objects;

/**
 * The columns of one device table, by the names of the scan's schema. Lives as long as the table,
 * which it does not own.
 */
public record DeviceColumns(Map<String, ColumnVector> columns, int rows) {
  ColumnVector column(String name) {
    return Objects.requireNonNull(columns.get(name), name);
  }
}
