package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.OrderByArg;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.stage.program.RowOperator.Top;
import io.mooring.stage.program.RowOperator.Top.Order;
import java.util.List;
import java.util.stream.IntStream;

/** Sorts the rows of a batch and keeps the first. */
final class TopRows {
  private TopRows() {}

  /** The first rows in their order; the caller closes them. */
  static DeviceBatch of(Top top, DeviceBatch rows) {
    int to = (int) Math.min(top.to(), rows.rows());
    int from = Math.min(top.from(), to);
    List<ColumnVector> keys =
        DeviceBatches.of(top.keys(), key -> ExprEvaluator.evaluate(key, rows));
    try (Table sorted = new Table(keys.toArray(ColumnVector[]::new));
        ColumnVector order = sorted.sortOrder(orders(top));
        ColumnVector kept = order.subVector(from, to);
        Table all = DeviceBatches.table(rows);
        Table first = all.gather(kept)) {
      return DeviceBatches.batch(first, rows.width());
    } finally {
      keys.forEach(ColumnVector::close);
    }
  }

  private static OrderByArg[] orders(Top top) {
    return IntStream.range(0, top.keys().size())
        .mapToObj(i -> order(i, top.orders().get(i)))
        .toArray(OrderByArg[]::new);
  }

  private static OrderByArg order(int column, Order order) {
    // Libcudf's "smallest" is by value: before all others in an ascending order.
    boolean smallest = order.nullsFirst() != order.descending();
    return order.descending()
        ? OrderByArg.desc(column, smallest)
        : OrderByArg.asc(column, smallest);
  }
}
