package io.mooring.scan;

import io.mooring.pushdown.Expr;
import io.mooring.pushdown.PartialAggregate;
import io.mooring.pushdown.Pushdown;
import io.mooring.pushdown.RowAggregator;
import io.mooring.pushdown.RowColumns;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Partial aggregates of the rows that pass a filter leave; at least one row when there are no keys.
 */
final class AggregatedRows implements RowOutput {
  private final @Nullable Expr filter;
  private final PartialAggregate aggregate;
  private final RowColumns columns;
  private final RowAggregator rows;
  private final Deque<InternalRow> ready = new ArrayDeque<>();
  private boolean given;

  AggregatedRows(Pushdown pushdown, StructType read) {
    this.filter = pushdown.filter();
    this.aggregate = Objects.requireNonNull(pushdown.aggregate());
    this.columns = new RowColumns(read);
    this.rows = new RowAggregator(aggregate);
  }

  @Override
  public @Nullable InternalRow next(Iterator<InternalRow> read) {
    if (ready.isEmpty()) {
      fill(read);
    }
    return ready.poll();
  }

  private void fill(Iterator<InternalRow> read) {
    while (!rows.isFull() && read.hasNext()) {
      columns.of(read.next());
      if (filter == null || Boolean.TRUE.equals(filter.onRow(columns))) {
        rows.add(columns, 1);
      }
    }
    ready.addAll(rows.take());
    if (ready.isEmpty() && !given && aggregate.keys().isEmpty()) {
      ready.add(rows.ofNothing());
    }
    given |= !ready.isEmpty();
  }
}
