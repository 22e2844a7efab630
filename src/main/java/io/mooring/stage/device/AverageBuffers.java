package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.device.PartialGrouping.Buffers;
import io.mooring.stage.device.PartialGrouping.Results;
import io.mooring.stage.program.BufferFunction;
import java.util.List;
import org.apache.spark.sql.types.DecimalType;

/**
 * The buffers of an average: the sum as a decimal or a double, zero for no values, and the count.
 */
record AverageBuffers(BufferFunction function) implements Buffers {
  @Override
  public Results update(GroupByBuilder requests, DeviceBatch rows) {
    try (ColumnVector input = AggregateInputs.input(function, rows)) {
      int sum = requests.add(GroupByAggregation.sum(), summed(input));
      int count = requests.add(GroupByAggregation.count(), input.incRefCount());
      return grouped -> buffers(grouped, sum, count);
    }
  }

  private ColumnVector summed(ColumnVector input) {
    return function.buffers().get(0) instanceof DecimalType type
        ? DecimalSums.widened(input, function.input(), type)
        : input.castTo(DType.FLOAT64);
  }

  @Override
  public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
    ColumnVector sums = partials.column(first);
    ColumnVector summed =
        function.buffers().get(0) instanceof DecimalType
            ? DecimalSums.partial(sums, function.input(), most)
            : sums.incRefCount();
    int sum = requests.add(GroupByAggregation.sum(), summed);
    int count = requests.add(GroupByAggregation.sum(), partials.column(first + 1).incRefCount());
    return grouped -> buffers(grouped, sum, count);
  }

  private static List<ColumnVector> buffers(Table grouped, int sum, int count) {
    ColumnVector sums = DecimalSums.orZero(grouped.getColumn(sum));
    try {
      return List.of(sums, grouped.getColumn(count).castTo(DType.INT64));
    } catch (RuntimeException | OutOfMemoryError e) {
      sums.close();
      throw e;
    }
  }
}
