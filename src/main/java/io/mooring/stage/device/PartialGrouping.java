package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.expr.CommonExpressions;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.device.AggregateBuffers.Results;
import io.mooring.stage.program.BufferFunction;
import io.mooring.stage.program.GroupedAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Groups rows by keys into the buffers of Spark's functions, and merges such groups. */
final class PartialGrouping {
  private final GroupedAggregate aggregate;
  private final List<AggregateBuffers> functions;
  private final CommonExpressions common;

  PartialGrouping(GroupedAggregate aggregate) {
    this.aggregate = aggregate;
    this.functions = aggregate.functions().stream().map(AggregateBuffers::of).toList();
    this.common = CommonExpressions.of(aggregate.expressions());
  }

  /** The groups of some rows, at least one; the caller closes them. */
  DeviceBatch group(DeviceBatch rows) {
    try (AggregateInputs inputs = new AggregateInputs(rows, common)) {
      List<ColumnVector> keys = DeviceBatches.of(aggregate.keys(), inputs::key);
      try (GroupByBuilder requests = requests(keys, rows)) {
        List<Results> results = new ArrayList<>();
        for (int i = 0; i < functions.size(); i++) {
          results.add(added(i, requests, rows, inputs));
        }
        return grouped(requests, results);
      }
    }
  }

  private Results added(int at, GroupByBuilder requests, DeviceBatch rows, AggregateInputs inputs) {
    BufferFunction function = aggregate.functions().get(at);
    return function.merges()
        ? functions.get(at).merge(requests, rows, function.mergedFrom(), (int) rows.rows())
        : functions.get(at).update(requests, inputs);
  }

  /**
   * The merged groups of a batch of partial groups; the caller closes them.
   *
   * @param most the number of partial groups that one group can have
   */
  DeviceBatch merge(DeviceBatch partials, int most) {
    int width = aggregate.keys().size();
    List<ColumnVector> keys =
        IntStream.range(0, width).mapToObj(i -> partials.column(i).incRefCount()).toList();
    try (GroupByBuilder requests = requests(keys, partials)) {
      List<Results> results = new ArrayList<>();
      int first = width;
      for (int i = 0; i < functions.size(); i++) {
        results.add(functions.get(i).merge(requests, partials, first, most));
        first += aggregate.functions().get(i).buffers().size();
      }
      return grouped(requests, results);
    }
  }

  private static GroupByBuilder requests(List<ColumnVector> keys, DeviceBatch rows) {
    return keys.isEmpty() ? GroupByBuilder.ofOneGroup(rows.rows()) : new GroupByBuilder(keys);
  }

  private DeviceBatch grouped(GroupByBuilder requests, List<Results> results) {
    List<ColumnVector> columns = new ArrayList<>();
    boolean all = false;
    try (Table grouped = requests.run()) {
      for (int i = 0; i < aggregate.keys().size(); i++) {
        columns.add(grouped.getColumn(i).incRefCount());
      }
      results.forEach(result -> columns.addAll(result.of(grouped)));
      all = true;
      return new DeviceBatch(columns, grouped.getRowCount());
    } finally {
      if (!all) {
        columns.forEach(ColumnVector::close);
      }
    }
  }
}
