package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.FloatingExtremes;
import io.mooring.stage.device.PartialGrouping.Buffers;
import io.mooring.stage.device.PartialGrouping.Results;
import io.mooring.stage.program.BufferFunction;
import io.mooring.stage.program.BufferFunction.Kind;
import java.util.List;

/** The buffer of a minimum or maximum: null for no values; NaN is greatest. */
record ExtremeBuffers(BufferFunction function) implements Buffers {
  @Override
  public Results update(GroupByBuilder requests, DeviceBatch rows) {
    return extreme(requests, AggregateInputs.input(function, rows));
  }

  @Override
  public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
    return extreme(requests, partials.column(first).incRefCount());
  }

  /**
   * @param values taken over
   */
  private Results extreme(GroupByBuilder requests, ColumnVector values) {
    DType type = values.getType();
    if (type.equals(DType.FLOAT32) || type.equals(DType.FLOAT64)) {
      return floating(requests, values);
    } else if (type.equals(DType.BOOL8)) {
      try (values) {
        int at = requests.add(aggregation(), values.castTo(DType.INT8));
        return grouped -> List.of(grouped.getColumn(at).castTo(DType.BOOL8));
      }
    }
    int at = requests.add(aggregation(), values);
    return grouped -> List.of(grouped.getColumn(at).incRefCount());
  }

  private GroupByAggregation aggregation() {
    return function.kind() == Kind.MIN ? GroupByAggregation.min() : GroupByAggregation.max();
  }

  /** The extreme of the numbers, and the counts of values with and without NaN. */
  private Results floating(GroupByBuilder requests, ColumnVector values) {
    try (values) {
      int number = requests.add(aggregation(), values.nansToNulls());
      int all = requests.add(GroupByAggregation.count(), values.incRefCount());
      int numbers = requests.add(GroupByAggregation.count(), values.nansToNulls());
      return grouped ->
          List.of(
              FloatingExtremes.withNan(
                  function.kind() == Kind.MAX,
                  grouped.getColumn(number),
                  grouped.getColumn(all),
                  grouped.getColumn(numbers)));
    }
  }
}
