package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.device.PartialGrouping.Buffers;
import io.mooring.stage.device.PartialGrouping.Results;
import io.mooring.stage.program.BufferFunction;
import java.util.List;
import org.apache.spark.sql.types.DecimalType;

/** The buffers of a decimal sum: the sum, zero for no values, and whether there was no value. */
record DecimalSumBuffers(BufferFunction function) implements Buffers {
  @Override
  public Results update(GroupByBuilder requests, DeviceBatch rows) {
    try (ColumnVector input = AggregateInputs.input(function, rows)) {
      DecimalType type = (DecimalType) function.buffers().get(0);
      return sum(requests, DecimalSums.widened(input, function.input(), type));
    }
  }

  @Override
  public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
    try (ColumnVector sums = DecimalSums.partial(partials.column(first), function.input(), most);
        Scalar none = Scalar.fromNull(sums.getType())) {
      // The zero of no values must not make the merged sum one of some values.
      return sum(requests, partials.column(first + 1).ifElse(none, sums));
    }
  }

  private static Results sum(GroupByBuilder requests, ColumnVector values) {
    int at = requests.add(GroupByAggregation.sum(), values);
    return grouped -> buffers(grouped, at);
  }

  private static List<ColumnVector> buffers(Table grouped, int at) {
    ColumnVector sum = DecimalSums.orZero(grouped.getColumn(at));
    try {
      return List.of(sum, grouped.getColumn(at).isNull());
    } catch (RuntimeException | OutOfMemoryError e) {
      sum.close();
      throw e;
    }
  }
}
