package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.device.PartialGrouping.Buffers;
import io.mooring.stage.device.PartialGrouping.Results;
import io.mooring.stage.program.BufferFunction;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;

/** The buffer of a sum, a long or a double: null for no values. */
record SumBuffers(BufferFunction function) implements Buffers {
  @Override
  public Results update(GroupByBuilder requests, DeviceBatch rows) {
    try (ColumnVector input = AggregateInputs.input(function, rows)) {
      // Sums of narrower numbers of one unit always fit.
      if (function.ansi() && input.getType().equals(DType.INT64)) {
        SumOverflow.checkLongs(input, input.getRowCount());
      }
      return sum(requests, input.castTo(type()));
    }
  }

  private DType type() {
    return function.buffers().get(0).equals(DataTypes.DoubleType) ? DType.FLOAT64 : DType.INT64;
  }

  @Override
  public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
    ColumnVector sums = partials.column(first);
    if (function.ansi() && sums.getType().equals(DType.INT64)) {
      SumOverflow.checkLongs(sums, most);
    }
    return sum(requests, sums.incRefCount());
  }

  private static Results sum(GroupByBuilder requests, ColumnVector values) {
    int at = requests.add(GroupByAggregation.sum(), values);
    return grouped -> List.of(grouped.getColumn(at).incRefCount());
  }
}
