package io.mooring.scan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps the rows of a decoded unit for which a filter is true. */
record DeviceFilter(@Nullable Expr filter, FileConstants constants) {

  /** The filter in a file; null when every row passes. */
  @Nullable Expr in(FilePlan plan) {
    Expr bound = filter == null ? null : filter.bind(column -> constants.of(plan, column));
    return bound instanceof Constant constant && constant.isTrue() ? null : bound;
  }

  /** Gives the rows that pass to {@code use}, which must not keep the table. */
  <R extends @Nullable Object> R apply(FilePlan plan, Table table, Function<Table, R> use) {
    Expr bound = in(plan);
    if (bound == null) {
      return use.apply(table);
    }
    try (ColumnVector mask = bound.onDevice(constants.device(plan, table));
        Table kept = table.filter(mask)) {
      return use.apply(kept);
    }
  }
}
