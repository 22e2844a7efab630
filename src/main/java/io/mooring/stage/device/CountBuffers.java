package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.device.PartialGrouping.Buffers;
import io.mooring.stage.device.PartialGrouping.Results;
import io.mooring.stage.program.BufferFunction;
import java.util.List;

/** The buffer of a count, a long. */
record CountBuffers(BufferFunction function) implements Buffers {
  @Override
  public Results update(GroupByBuilder requests, DeviceBatch rows) {
    ColumnVector mask = AggregateInputs.mask(function, rows);
    int at =
        mask == null ? requests.countRows() : requests.add(GroupByAggregation.sum(), ones(mask));
    return grouped -> List.of(grouped.getColumn(at).castTo(DType.INT64));
  }

  private static ColumnVector ones(ColumnVector mask) {
    try (mask) {
      return mask.castTo(DType.INT64);
    }
  }

  @Override
  public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
    int at = requests.add(GroupByAggregation.sum(), partials.column(first).incRefCount());
    return grouped -> List.of(grouped.getColumn(at).incRefCount());
  }
}
