package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import io.mooring.stage.program.RowOperator.Top.Order;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Adds the results of window functions to rows, as columns after those that there are. It needs all
 * rows of a partition at once.
 */
public sealed interface WindowOperator extends RowOperator {
  /** The types of the columns that it reads. */
  List<DataType> input();

  /** The values of the columns that it adds. */
  List<DeviceExpr> results();

  @Override
  default boolean computes() {
    return true;
  }

  /**
   * Functions over all rows of a partition.
   *
   * @param groups the partitions, by the keys of the window
   * @param results over the keys and buffers of these
   */
  record Whole(GroupedAggregate groups, List<DeviceExpr> results, List<DataType> input)
      implements WindowOperator {
    public Whole {
      results = List.copyOf(results);
      input = List.copyOf(input);
    }
  }

  /**
   * Functions over the rows from the first one of a partition to the current one.
   *
   * @param partition keys over the columns, where null is a key as well; empty for one partition of
   *     all rows
   * @param keys by which the rows of a partition are sorted, at least one
   * @param orders one for each of these keys
   * @param toLastPeer whether rows that are equal by these keys count as one row
   * @param results over the columns and the scans
   */
  record Running(
      List<DeviceExpr> partition,
      List<DeviceExpr> keys,
      List<Order> orders,
      List<Scan> scans,
      boolean toLastPeer,
      List<DeviceExpr> results,
      List<DataType> input)
      implements WindowOperator {
    public Running {
      partition = List.copyOf(partition);
      keys = List.copyOf(keys);
      orders = List.copyOf(orders);
      scans = List.copyOf(scans);
      results = List.copyOf(results);
      input = List.copyOf(input);
    }
  }

  /**
   * A prefix scan over the rows of a partition.
   *
   * @param input null for ranks, which are of the keys
   * @param type of the results
   */
  record Scan(Kind kind, @Nullable DeviceExpr input, DataType type) implements Serializable {
    /** The functions. */
    public enum Kind {
      /** The sum of values without nulls, which fits their type. */
      SUM,
      /** Null before the first value. */
      MIN,
      /** Null before the first value. */
      MAX,
      RANK,
      DENSE_RANK
    }
  }
}
