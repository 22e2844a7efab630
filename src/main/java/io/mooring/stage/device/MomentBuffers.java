package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.program.BufferFunction;
import java.util.List;

/**
 * The buffers of variances: count, mean and the sum of squared differences from it, all doubles,
 * zero for no values. Only Spark merges them, so that a task gives those of each unit.
 */
record MomentBuffers(BufferFunction function) implements AggregateBuffers {
  @Override
  public Results update(GroupByBuilder requests, AggregateInputs inputs) {
    // From hash tables, libcudf subtracts the squared sum from the sum of squares, which cancels.
    requests.sortRows();
    try (ColumnVector input = inputs.input(function)) {
      int count = requests.count(input);
      int mean = requests.add(GroupByAggregation.mean(), input.incRefCount());
      int squares = requests.add(GroupByAggregation.M2(), input.incRefCount());
      int least = requests.add(GroupByAggregation.min(), input.incRefCount());
      int greatest = requests.add(GroupByAggregation.max(), input.incRefCount());
      return grouped ->
          buffers(
              grouped.getColumn(count),
              new Moments(grouped.getColumn(mean), grouped.getColumn(squares)),
              grouped.getColumn(least),
              grouped.getColumn(greatest));
    }
  }

  private record Moments(ColumnVector mean, ColumnVector squares) {}

  private static List<ColumnVector> buffers(
      ColumnVector count, Moments moments, ColumnVector least, ColumnVector greatest) {
    try (ColumnVector equal = areEqual(moments.squares(), least, greatest);
        Scalar zero = Scalar.fromDouble(0);
        ColumnVector mean = equal.ifElse(least, moments.mean());
        ColumnVector squares = equal.ifElse(zero, moments.squares())) {
      return DeviceBatches.of(List.of(count, mean, squares), column -> asDouble(column, zero));
    }
  }

  /**
   * Whether a group has one value only, of which Spark's mean is exact. Not of infinities and NaN,
   * whose squares are NaN.
   */
  private static ColumnVector areEqual(
      ColumnVector squares, ColumnVector least, ColumnVector greatest) {
    try (ColumnVector equal = least.equalTo(greatest);
        ColumnVector finite = squares.isNotNan()) {
      return equal.and(finite);
    }
  }

  private static ColumnVector asDouble(ColumnVector values, Scalar zero) {
    try (ColumnVector doubles = values.castTo(DType.FLOAT64)) {
      return doubles.replaceNulls(zero);
    }
  }

  @Override
  public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
    throw new IllegalStateException("Moments are merged by Spark");
  }
}
