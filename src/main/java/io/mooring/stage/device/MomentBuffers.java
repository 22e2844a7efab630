package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.device.PartialGrouping.Buffers;
import io.mooring.stage.device.PartialGrouping.Results;
import io.mooring.stage.program.BufferFunction;
import java.util.List;

/**
 * The buffers of variances: count, mean and the sum of squared differences from it, all doubles,
 * zero for no values. Only Spark merges them, so that a task gives those of each unit.
 */
record MomentBuffers(BufferFunction function) implements Buffers {
  @Override
  public Results update(GroupByBuilder requests, DeviceBatch rows) {
    try (ColumnVector input = AggregateInputs.input(function, rows)) {
      int count = requests.add(GroupByAggregation.count(), input.incRefCount());
      int mean = requests.add(GroupByAggregation.mean(), input.incRefCount());
      int squares = requests.add(GroupByAggregation.M2(), input.incRefCount());
      return grouped ->
          DeviceBatches.of(List.of(count, mean, squares), at -> asDouble(grouped, at));
    }
  }

  private static ColumnVector asDouble(Table grouped, int at) {
    try (ColumnVector values = grouped.getColumn(at).castTo(DType.FLOAT64);
        Scalar zero = Scalar.fromDouble(0)) {
      return values.replaceNulls(zero);
    }
  }

  @Override
  public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
    throw new IllegalStateException("Moments are merged by Spark");
  }
}
