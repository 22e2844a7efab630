package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.pushdown.AggregateCall;
import io.mooring.pushdown.AggregateCall.Kind;
import io.mooring.pushdown.PartialAggregate;
import io.mooring.pushdown.SumOverflowCheck;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.jspecify.annotations.Nullable;

/** Aggregates the rows of a device table. */
public final class DeviceAggregator {
  private final PartialAggregate aggregate;
  private final SumOverflowCheck overflow;

  /**
   * @param aggregate with constants bound for the columns that the device table lacks
   * @param overflow the check of the task that reads the rows
   */
  public DeviceAggregator(PartialAggregate aggregate, SumOverflowCheck overflow) {
    this.aggregate = aggregate;
    this.overflow = overflow;
  }

  /**
   * The results as one row.
   *
   * @throws SparkFallbackException when rows must be aggregated one by one
   */
  public InternalRow reduce(DeviceColumns columns) {
    Object[] results = new Object[aggregate.calls().size()];
    try (DeviceEvaluator device = new DeviceEvaluator(columns)) {
      for (int i = 0; i < results.length; i++) {
        results[i] = reduced(i, device);
      }
    }
    return new GenericInternalRow(results);
  }

  private @Nullable Object reduced(int at, DeviceEvaluator device) {
    AggregateCall call = aggregate.calls().get(at);
    if (call.kind() == Kind.COUNT_ROWS) {
      return (long) device.columns().rows();
    }
    try (ColumnVector input = device.values(call.argument())) {
      if (SumOverflowCheck.checks(call)) {
        checkSum(at, input);
      }
      return ReduceAggregate.reduce(call, input);
    }
  }

  /**
   * Adds the column that a sum takes to the check.
   *
   * @throws SparkFallbackException where the sum could overflow
   */
  private void checkSum(int call, ColumnVector longs) {
    try (Scalar least = longs.min();
        Scalar greatest = longs.max()) {
      if (least.isValid()
          && !overflow.add(call, least.getLong(), greatest.getLong(), longs.getRowCount())) {
        throw new SparkFallbackException("the sum of a column may overflow");
      }
    }
  }
}
