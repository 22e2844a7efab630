package io.mooring.scan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.device.DeviceEvaluator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps the rows of a decoded unit for which a filter is true. */
record DeviceFilter(FileFilter filter) {

  /** Gives the rows that pass to {@code use}, which must not keep the table. */
  <R extends @Nullable Object> R apply(FilePlan plan, Table table, Function<Table, R> use) {
    Expr bound = filter.in(plan);
    if (bound == null) {
      return use.apply(table);
    }
    try (ColumnVector mask = DeviceEvaluator.values(bound, filter.constants().device(plan, table));
        Table kept = table.filter(mask)) {
      return use.apply(kept);
    }
  }
}
