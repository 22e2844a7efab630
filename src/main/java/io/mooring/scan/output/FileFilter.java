package io.mooring.scan.output;

import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import io.mooring.scan.plan.ConstantColumns;
import io.mooring.scan.plan.FilePlan;
import org.jspecify.annotations.Nullable;

/** What a filter is in each file: columns that are the same in all its rows are constants. */
public record FileFilter(@Nullable Expr filter, ConstantColumns constants) {

  /** The filter in a file; null when every row passes. */
  public @Nullable Expr in(FilePlan plan) {
    Expr bound = filter == null ? null : filter.bind(column -> constants.of(plan, column));
    return bound instanceof Constant constant && constant.isTrue() ? null : bound;
  }
}
