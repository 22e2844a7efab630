package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.GroupByAggregationOnColumn;
import ai.rapids.cudf.Table;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.device.FloatingExtremes;
import io.mooring.pushdown.AggregateCall;
import io.mooring.pushdown.AggregateCall.Kind;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.PartialAggregate;
import io.mooring.pushdown.SumOverflowCheck;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;

/**
 * A group-by for libcudf: keys and inputs as one table, the aggregations, and the ordinals of their
 * results. Owns the columns until it is closed.
 */
final class GroupByRequest implements AutoCloseable {
  private final PartialAggregate aggregate;
  private final SumOverflowCheck overflow;
  private final List<ColumnVector> columns = new ArrayList<>();
  private final List<GroupByAggregationOnColumn> aggregations = new ArrayList<>();

  /** For each call, the ordinal of its first aggregation. */
  private final List<Integer> resultOrdinals = new ArrayList<>();

  /** For each call, the ordinal of its input column; -1 for none. */
  private final List<Integer> inputOrdinals = new ArrayList<>();

  private GroupByRequest(PartialAggregate aggregate, SumOverflowCheck overflow) {
    this.aggregate = aggregate;
    this.overflow = overflow;
  }

  static GroupByRequest of(
      PartialAggregate aggregate, DeviceColumns device, SumOverflowCheck overflow) {
    GroupByRequest inputs = new GroupByRequest(aggregate, overflow);
    try {
      aggregate.keys().forEach(key -> inputs.addKey(key, device));
      aggregate.calls().forEach(call -> inputs.addCall(call, device));
      if (inputs.aggregations.isEmpty()) {
        // libcudf needs an aggregation, even for keys alone.
        inputs.aggregations.add(DeviceAggregator.countRows(0));
      }
      return inputs;
    } catch (RuntimeException e) {
      inputs.close();
      throw e;
    }
  }

  private void addKey(Expr key, DeviceColumns device) {
    ColumnVector column = DeviceEvaluator.values(key, device);
    if (!ScalarTypes.isFloating(key.type())) {
      columns.add(column);
      return;
    }
    try (column) {
      columns.add(column.normalizeNANsAndZeros());
    }
  }

  private void addCall(AggregateCall call, DeviceColumns device) {
    int number = resultOrdinals.size();
    resultOrdinals.add(aggregations.size());
    inputOrdinals.add(call.kind() == Kind.COUNT_ROWS ? -1 : columns.size());
    if (call.kind() == Kind.COUNT_ROWS) {
      aggregations.add(DeviceAggregator.countRows(0));
      return;
    }
    int at = columns.size();
    columns.add(input(number, call, device));
    switch (call.kind()) {
      case COUNT -> aggregations.add(GroupByAggregation.count().onColumn(at));
      case SUM -> aggregations.add(GroupByAggregation.sum().onColumn(at));
      case MIN -> addExtreme(GroupByAggregation.min(), call, at);
      default -> addExtreme(GroupByAggregation.max(), call, at);
    }
  }

  /** Adds a minimum or maximum; for floating-point numbers also the counts with and without NaN. */
  private void addExtreme(GroupByAggregation extreme, AggregateCall call, int at) {
    if (!ScalarTypes.isFloating(call.argument().type())) {
      aggregations.add(extreme.onColumn(at));
      return;
    }
    columns.add(columns.get(at).nansToNulls());
    aggregations.add(extreme.onColumn(at + 1));
    aggregations.add(GroupByAggregation.count().onColumn(at));
    aggregations.add(GroupByAggregation.count().onColumn(at + 1));
  }

  private ColumnVector input(int number, AggregateCall call, DeviceColumns device) {
    ColumnVector input = DeviceEvaluator.values(call.argument(), device);
    if (call.kind() != Kind.SUM) {
      return input;
    }
    try (input) {
      if (SumOverflowCheck.checks(call)) {
        DeviceAggregator.checkSum(overflow, number, input);
      }
      return DeviceAggregator.as(call.type(), input);
    }
  }

  Table table() {
    return new Table(columns.toArray(ColumnVector[]::new));
  }

  GroupByAggregationOnColumn[] aggregations() {
    return aggregations.toArray(GroupByAggregationOnColumn[]::new);
  }

  /** The result of a call, in the call's type; the caller closes it. */
  ColumnVector result(int call, Table grouped) {
    AggregateCall function = aggregate.calls().get(call);
    int at = aggregate.keys().size() + resultOrdinals.get(call);
    boolean extreme = function.kind() == Kind.MIN || function.kind() == Kind.MAX;
    if (extreme && ScalarTypes.isFloating(function.type())) {
      ExtremeChecks.checkZeros(columns.get(inputOrdinals.get(call)), grouped.getColumn(at));
      return FloatingExtremes.withNan(
          function.kind() == Kind.MAX,
          grouped.getColumn(at),
          grouped.getColumn(at + 1),
          grouped.getColumn(at + 2));
    } else if (extreme && function.type().equals(DataTypes.StringType)) {
      ExtremeChecks.checkTexts(grouped.getColumn(at));
    }
    return DeviceAggregator.as(function.type(), grouped.getColumn(at));
  }

  @Override
  public void close() {
    columns.forEach(ColumnVector::close);
    columns.clear();
  }
}
