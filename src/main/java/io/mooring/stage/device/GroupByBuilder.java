package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.GroupByAggregationOnColumn;
import ai.rapids.cudf.GroupByOptions;
import ai.rapids.cudf.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Builds a group-by for libcudf: key columns, input columns, and aggregations of these. */
final class GroupByBuilder implements AutoCloseable {
  private final int keys;
  private final boolean sorted;
  private final List<ColumnVector> columns = new ArrayList<>();
  private final List<GroupByAggregationOnColumn> aggregations = new ArrayList<>();

  /**
   * @param keys taken over, at least one
   */
  GroupByBuilder(List<ColumnVector> keys) {
    this(keys, false);
  }

  private GroupByBuilder(List<ColumnVector> keys, boolean sorted) {
    this.keys = keys.size();
    this.sorted = sorted;
    columns.addAll(keys);
  }

  /**
   * All rows as one group. libcudf reduces sorted groups segment by segment, where its hash table
   * would add every row to the same entry by atomic operations.
   *
   * @param rows the number of rows, at least one
   */
  static GroupByBuilder ofOneGroup(long rows) {
    return new GroupByBuilder(List.of(DeviceBatches.zeros(rows)), true);
  }

  /**
   * Adds an aggregation.
   *
   * @param input taken over
   * @return the ordinal of the result in the table of {@link #run}
   */
  int add(GroupByAggregation aggregation, ColumnVector input) {
    columns.add(input);
    return ofColumn(aggregation, columns.size() - 1);
  }

  /** Adds the number of rows of each group. */
  int countRows() {
    return ofColumn(GroupByAggregation.count(ai.rapids.cudf.NullPolicy.INCLUDE), 0);
  }

  private int ofColumn(GroupByAggregation aggregation, int column) {
    aggregations.add(aggregation.onColumn(column));
    return keys + aggregations.size() - 1;
  }

  /** The keys of each group and the results, in order; the caller closes the table. */
  Table run() {
    if (aggregations.isEmpty()) {
      // libcudf needs an aggregation, even for keys alone.
      countRows();
    }
    try (Table table = new Table(columns.toArray(ColumnVector[]::new))) {
      return table
          .groupBy(
              GroupByOptions.builder().withIgnoreNullKeys(false).withKeysSorted(sorted).build(),
              IntStream.range(0, keys).toArray())
          .aggregate(aggregations.toArray(GroupByAggregationOnColumn[]::new));
    }
  }

  @Override
  public void close() {
    columns.forEach(ColumnVector::close);
    columns.clear();
  }
}
