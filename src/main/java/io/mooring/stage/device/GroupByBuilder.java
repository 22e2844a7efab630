package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.GroupByAggregationOnColumn;
import ai.rapids.cudf.GroupByOptions;
import ai.rapids.cudf.NullPolicy;
import ai.rapids.cudf.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Builds a group-by for libcudf: key columns, input columns, and aggregations of these. */
final class GroupByBuilder implements AutoCloseable {
  private final int keys;
  private final boolean sorted;
  private final List<ColumnVector> columns = new ArrayList<>();
  private final List<Request> requests = new ArrayList<>();

  private record Request(GroupByAggregation aggregation, int column) {}

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
   * Adds an aggregation, unless there is the same of the same column.
   *
   * @param input taken over
   * @return the ordinal of the result in the table of {@link #run}
   */
  int add(GroupByAggregation aggregation, ColumnVector input) {
    columns.add(input);
    return ofColumn(aggregation, columns.indexOf(input));
  }

  /** Adds the number of values of each group that are not null. */
  int count(ColumnVector values) {
    return values.hasNulls() ? add(GroupByAggregation.count(), values.incRefCount()) : countRows();
  }

  /** Adds the number of rows of each group. */
  int countRows() {
    return ofColumn(GroupByAggregation.count(NullPolicy.INCLUDE), 0);
  }

  /**
   * Has libcudf sort the rows by their keys, as for every aggregation that it has no hash table
   * for.
   */
  void sortRows() {
    ofColumn(GroupByAggregation.nth(0), 0);
  }

  private int ofColumn(GroupByAggregation aggregation, int column) {
    Request request = new Request(aggregation, column);
    int known = requests.indexOf(request);
    if (known < 0) {
      requests.add(request);
    }
    return keys + (known < 0 ? requests.size() - 1 : known);
  }

  /** The keys of each group and the results, in order; the caller closes the table. */
  Table run() {
    if (requests.isEmpty()) {
      // libcudf needs an aggregation, even for keys alone.
      countRows();
    }
    try (Table table = new Table(columns.toArray(ColumnVector[]::new))) {
      return table
          .groupBy(
              GroupByOptions.builder().withIgnoreNullKeys(false).withKeysSorted(sorted).build(),
              IntStream.range(0, keys).toArray())
          .aggregate(
              requests.stream()
                  .map(it -> it.aggregation().onColumn(it.column()))
                  .toArray(GroupByAggregationOnColumn[]::new));
    }
  }

  @Override
  public void close() {
    columns.forEach(ColumnVector::close);
    columns.clear();
  }
}
