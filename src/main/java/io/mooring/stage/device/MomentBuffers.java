package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.program.BufferFunction;
import java.util.List;

/**
 * The buffers of variances: count, mean and the sum of squared differences from it, all doubles,
 * zero for no values.
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
    ColumnVector counts = partials.column(first);
    ColumnVector squares = partials.column(first + 2);
    try (ColumnVector means = ofValues(counts, partials.column(first + 1))) {
      int count = requests.add(GroupByAggregation.sum(), counts.incRefCount());
      int square = requests.add(GroupByAggregation.sum(), squares.incRefCount());
      int least = requests.add(GroupByAggregation.min(), means.incRefCount());
      int greatest = requests.add(GroupByAggregation.max(), means.incRefCount());
      int merged =
          requests.add(
              GroupByAggregation.mergeM2(),
              ColumnVector.makeStruct(counts, partials.column(first + 1), squares));
      return grouped ->
          merged(
              grouped.getColumn(count),
              new Moments(grouped.getColumn(least), grouped.getColumn(square)),
              grouped.getColumn(greatest),
              grouped.getColumn(merged));
    }
  }

  /** The means of partial groups that have values. */
  private static ColumnVector ofValues(ColumnVector counts, ColumnVector means) {
    try (Scalar zero = Scalar.fromDouble(0);
        Scalar none = Scalar.fromNull(DType.FLOAT64);
        ColumnVector has = counts.greaterThan(zero)) {
      return has.ifElse(means, none);
    }
  }

  /**
   * The buffers of merged groups. Where all values of a group are equal, so are those of its
   * partial groups, and Spark's sum of squares is zero; libcudf's mean may be rounded there.
   *
   * @param least the least mean of partial groups, and the sum of their squares
   * @param merged count, mean and sum of squares, as libcudf merges them
   */
  private static List<ColumnVector> merged(
      ColumnVector count, Moments least, ColumnVector greatest, ColumnVector merged) {
    try (Scalar zero = Scalar.fromDouble(0);
        ColumnVector same = least.mean().equalTo(greatest);
        ColumnVector none = least.squares().equalTo(zero);
        ColumnVector equal = same.and(none);
        ColumnView means = merged.getChildColumnView(1);
        ColumnView sums = merged.getChildColumnView(2);
        ColumnVector mean = equal.ifElse(least.mean(), means);
        ColumnVector squares = equal.ifElse(zero, sums);
        ColumnVector has = count.greaterThan(zero)) {
      return DeviceBatches.of(List.of(count, mean, squares), column -> has.ifElse(column, zero));
    }
  }
}
