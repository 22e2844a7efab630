package io.mooring.scan.output;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.device.DeviceEvaluator;
import io.mooring.scan.plan.FilePlan;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps the rows of a decoded unit for which a filter is true. */
public record DeviceFilter(FileFilter filter) {

  /** Gives the rows that pass to {@code use}, which must not keep the table. */
  public <R extends @Nullable Object> R apply(FilePlan plan, Table table, Function<Table, R> use) {
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
