package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.OrderByArg;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.program.RowOperator.Top;
import io.mooring.stage.program.RowOperator.Top.Order;
import java.util.ArrayList;
import java.util.List;

/** Sorts the rows of a batch and keeps the first; without keys, in the order that they have. */
final class TopRows {
  private TopRows() {}

  /** The first rows in their order; the caller closes them. */
  static DeviceBatch of(Top top, DeviceBatch rows) {
    int to = (int) Math.min(top.to(), rows.rows());
    int from = Math.min(top.from(), to);
    return top.keys().isEmpty() ? BatchSlices.slice(rows, from, to) : sorted(top, rows, from, to);
  }

  private static DeviceBatch sorted(Top top, DeviceBatch rows, int from, int to) {
    try (DeviceBatch keys = DeviceOperators.projected(top.keys(), rows);
        Table sorted = DeviceBatches.table(keys);
        ColumnVector order = sorted.sortOrder(orders(0, top.orders()).toArray(OrderByArg[]::new));
        ColumnVector ordinals = order.subVector(from, to);
        Table all = DeviceBatches.table(rows);
        Table first = all.gather(ordinals)) {
      return DeviceBatches.batch(first, rows.width());
    }
  }

  /**
   * The same orders for libcudf.
   *
   * @param first the ordinal of the column of the first one; the others follow
   */
  static List<OrderByArg> orders(int first, List<Order> orders) {
    List<OrderByArg> all = new ArrayList<>();
    for (Order order : orders) {
      all.add(order(first + all.size(), order));
    }
    return all;
  }

  private static OrderByArg order(int column, Order order) {
    // Libcudf's "smallest" is by value: before all others in an ascending order.
    boolean smallest = order.nullsFirst() != order.descending();
    return order.descending()
        ? OrderByArg.desc(column, smallest)
        : OrderByArg.asc(column, smallest);
  }
}
