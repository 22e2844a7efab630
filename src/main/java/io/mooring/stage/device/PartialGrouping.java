package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.stage.program.BufferFunction;
import io.mooring.stage.program.GroupedAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Groups rows to keys and the buffers of Spark's functions, and merges such groups. */
final class PartialGrouping {
  private final GroupedAggregate aggregate;
  private final List<Buffers> functions;

  /** What of a table of results a function's buffers are. */
  interface Results {
    /** The buffers, in order, which the caller closes. */
    List<ColumnVector> of(Table grouped);
  }

  /** The buffers of one function. */
  interface Buffers {
    /** Asks for what the buffers are made of. */
    Results update(GroupByBuilder requests, DeviceBatch rows);

    /**
     * Asks for what merged buffers are made of.
     *
     * @param first the place of the first buffer
     * @param most how many partial groups there can be of one group
     */
    Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most);
  }

  PartialGrouping(GroupedAggregate aggregate) {
    this.aggregate = aggregate;
    this.functions = aggregate.functions().stream().map(PartialGrouping::buffers).toList();
  }

  private static Buffers buffers(BufferFunction function) {
    return switch (function.kind()) {
      case COUNT -> new CountBuffers(function);
      case SUM -> new SumBuffers(function);
      case DECIMAL_SUM -> new DecimalSumBuffers(function);
      case AVERAGE -> new AverageBuffers(function);
      case MIN, MAX -> new ExtremeBuffers(function);
      case MOMENTS -> new MomentBuffers(function);
    };
  }

  /** The groups of some rows, of which there must be some; the caller closes them. */
  DeviceBatch group(DeviceBatch rows) {
    List<ColumnVector> keys =
        DeviceBatches.of(aggregate.keys(), key -> ExprEvaluator.evaluate(key, rows));
    try (GroupByBuilder requests = requests(keys, rows)) {
      List<Results> results =
          functions.stream().map(function -> function.update(requests, rows)).toList();
      return grouped(requests, results);
    }
  }

  /**
   * As few groups as there are of partial ones, which are the columns of a batch.
   *
   * @param most how many partial groups there can be of one group
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
    // One group of all rows is that of a key which is the same in all.
    return new GroupByBuilder(keys.isEmpty() ? List.of(DeviceBatches.zeros(rows.rows())) : keys);
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
