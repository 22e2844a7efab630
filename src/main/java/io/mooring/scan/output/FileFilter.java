package io.mooring.scan.output;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.device.DeviceEvaluator;
import io.mooring.scan.plan.ConstantColumns;
import io.mooring.scan.plan.FilePlan;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A filter in the form that it has in each file, whose constant columns are replaced by values. */
public record FileFilter(@Nullable Expr filter, ConstantColumns constants) {

  /** The filter in a file; null when every row passes. */
  public @Nullable Expr in(FilePlan plan) {
    Expr bound = filter == null ? null : filter.bind(column -> constants.of(plan, column));
    return bound instanceof Constant constant && constant.isTrue() ? null : bound;
  }

  /** The filter where there is a GPU. A class of its own, because it needs cudf to load. */
  public record OnDevice(FileFilter filter) {
    /** Gives the rows that pass to {@code use}, which must not keep the table. */
    public <R extends @Nullable Object> R apply(
        FilePlan plan, Table table, Function<Table, R> use) {
      Expr bound = filter.in(plan);
      if (bound == null) {
        return use.apply(table);
      }
      try (ColumnVector mask =
              DeviceEvaluator.values(bound, filter.constants().device(plan, table));
          Table passing = table.filter(mask)) {
        return use.apply(passing);
      }
    }
  }
}
