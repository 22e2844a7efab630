package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.GroupByAggregationOnColumn;
import ai.rapids.cudf.GroupByOptions;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.pushdown.AggregateCall;
import io.mooring.pushdown.AggregateCall.Kind;
import io.mooring.pushdown.PartialAggregate;
import io.mooring.pushdown.SumOverflowCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
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
   * The one row of an aggregate without keys.
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
        checkSum(overflow, at, input);
      }
      return ReduceAggregate.reduce(call, input);
    }
  }

  /**
   * Adds the column that a sum takes to the check.
   *
   * @throws SparkFallbackException where the sum could overflow
   */
  static void checkSum(SumOverflowCheck overflow, int call, ColumnVector longs) {
    try (Scalar least = longs.min();
        Scalar greatest = longs.max()) {
      if (least.isValid()
          && !overflow.add(call, least.getLong(), greatest.getLong(), longs.getRowCount())) {
        throw new SparkFallbackException("the sum of a column may overflow");
      }
    }
  }

  /**
   * A row for each group, in the schema of the aggregate; the caller closes the table.
   *
   * @throws SparkFallbackException when rows must be aggregated one by one
   */
  public Table group(DeviceColumns columns) {
    try (GroupByRequest inputs = GroupByRequest.of(aggregate, columns, overflow);
        Table table = inputs.table();
        Table grouped =
            table
                .groupBy(
                    GroupByOptions.builder().withIgnoreNullKeys(false).build(),
                    IntStream.range(0, aggregate.keys().size()).toArray())
                .aggregate(inputs.aggregations())) {
      return results(grouped, inputs);
    }
  }

  private Table results(Table grouped, GroupByRequest inputs) {
    List<ColumnVector> results = new ArrayList<>();
    try {
      for (int i = 0; i < aggregate.keys().size(); i++) {
        results.add(grouped.getColumn(i).incRefCount());
      }
      for (int i = 0; i < aggregate.calls().size(); i++) {
        results.add(inputs.result(i, grouped));
      }
      return new Table(results.toArray(ColumnVector[]::new));
    } finally {
      results.forEach(ColumnVector::close);
    }
  }

  /** The count of rows, over a column that every group has. */
  static GroupByAggregationOnColumn countRows(int column) {
    return GroupByAggregation.count(ai.rapids.cudf.NullPolicy.INCLUDE).onColumn(column);
  }

  static ColumnVector as(DataType type, ColumnVector column) {
    DType wanted = CudfTypes.of(type);
    return column.getType().equals(wanted) || column.getType().isDecimalType()
        ? column.incRefCount()
        : column.castTo(wanted);
  }
}
