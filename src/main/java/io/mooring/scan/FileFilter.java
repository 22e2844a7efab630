package io.mooring.scan;

import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import org.jspecify.annotations.Nullable;

/** What a filter is in each file: columns that are the same in all its rows are constants. */
record FileFilter(@Nullable Expr filter, FileConstants constants) {

  /** The filter in a file; null when every row passes. */
  @Nullable Expr in(FilePlan plan) {
    Expr bound = filter == null ? null : filter.bind(column -> constants.of(plan, column));
    return bound instanceof Constant constant && constant.isTrue() ? null : bound;
  }
}
