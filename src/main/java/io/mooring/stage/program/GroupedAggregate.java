package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import java.io.Serializable;
import java.util.List;

/**
 * A partial aggregate: its rows are the keys and behind them the buffers of the functions, as
 * Spark's aggregate above merges them. Several rows of one group are as good as one.
 *
 * @param keys what is grouped by, null being a group; empty for one group of all rows
 */
public record GroupedAggregate(List<DeviceExpr> keys, List<BufferFunction> functions)
    implements Serializable {
  public GroupedAggregate {
    keys = List.copyOf(keys);
    functions = List.copyOf(functions);
  }
}
