package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.GroupByOptions;
import ai.rapids.cudf.GroupByScanAggregation;
import ai.rapids.cudf.GroupByScanAggregationOnColumn;
import ai.rapids.cudf.OrderByArg;
import ai.rapids.cudf.ReplacePolicy;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.stage.program.WindowOperator;
import io.mooring.stage.program.WindowOperator.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Adds the results of window functions from the first row of a partition to the current one: sorts
 * the rows, and scans each partition.
 */
record RunningWindow(WindowOperator.Running window) {
  /** The rows with the results; the caller closes them. */
  DeviceBatch of(DeviceBatch rows) {
    try (DeviceBatch sorted = sorted(rows);
        DeviceBatch scans = scans(sorted);
        DeviceBatch all =
            window.toLastPeer() ? ofPeers(sorted, scans) : DeviceBatches.beside(sorted, scans);
        DeviceBatch results = DeviceOperators.projected(window.results(), all);
        DeviceBatch input = DeviceBatches.first(all, rows.width())) {
      return DeviceBatches.beside(input, results);
    }
  }

  private DeviceBatch sorted(DeviceBatch rows) {
    List<OrderByArg> orders = new ArrayList<>();
    for (int i = 0; i < window.partition().size(); i++) {
      orders.add(OrderByArg.asc(i, true));
    }
    orders.addAll(TopRows.orders(orders.size(), window.orders()));
    // Equal rows keep their order: windows above a window see them in the same one.
    orders.add(OrderByArg.asc(orders.size()));
    try (Table keys = numberedKeys(rows);
        ColumnVector order = keys.sortOrder(orders.toArray(OrderByArg[]::new));
        Table all = DeviceBatches.table(rows);
        Table sorted = all.gather(order)) {
      return DeviceBatches.batch(sorted, rows.width());
    }
  }

  /** The keys and, after them, the numbers of the rows. */
  private Table numberedKeys(DeviceBatch rows) {
    List<ColumnVector> columns = new ArrayList<>();
    try (Table keys = keys(rows)) {
      for (int i = 0; i < keys.getNumberOfColumns(); i++) {
        columns.add(keys.getColumn(i).incRefCount());
      }
      columns.add(numbers(rows.rows()));
      return new Table(columns.toArray(ColumnVector[]::new));
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  private static ColumnVector numbers(long rows) {
    try (Scalar zero = Scalar.fromInt(0)) {
      return ColumnVector.sequence(zero, (int) rows);
    }
  }

  /** The keys of partitions, and those by which their rows are sorted. */
  private Table keys(DeviceBatch rows) {
    return PartitionWindow.keys(
        Stream.concat(window.partition().stream(), window.keys().stream()).toList(), rows);
  }

  /** The columns of the scans over sorted rows. */
  private DeviceBatch scans(DeviceBatch sorted) {
    List<ColumnVector> columns = new ArrayList<>();
    List<GroupByScanAggregationOnColumn> scans = new ArrayList<>();
    try (Table partition = PartitionWindow.keys(window.partition(), sorted)) {
      int width = partition.getNumberOfColumns();
      for (int i = 0; i < width; i++) {
        columns.add(partition.getColumn(i).incRefCount());
      }
      for (Scan scan : window.scans()) {
        columns.add(input(scan, sorted));
        scans.add(aggregation(scan.kind()).onColumn(columns.size() - 1));
      }
      try (Table input = new Table(columns.toArray(ColumnVector[]::new));
          Table scanned =
              input
                  .groupBy(sortedKeys(), IntStream.range(0, width).toArray())
                  .scan(scans.toArray(GroupByScanAggregationOnColumn[]::new))) {
        return new DeviceBatch(
            DeviceBatches.of(
                IntStream.range(0, scans.size()).boxed().toList(),
                i -> finished(window.scans().get(i), scanned.getColumn(width + i), partition)),
            sorted.rows());
      }
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  private ColumnVector input(Scan scan, DeviceBatch sorted) {
    if (scan.input() != null) {
      return ExprEvaluator.evaluate(scan.input(), sorted);
    }
    List<ColumnVector> keys =
        DeviceBatches.of(window.keys(), key -> ExprEvaluator.evaluate(key, sorted));
    try {
      return keys.size() == 1
          ? keys.get(0).incRefCount()
          : ColumnVector.makeStruct(keys.toArray(ColumnVector[]::new));
    } finally {
      keys.forEach(ColumnVector::close);
    }
  }

  private static GroupByScanAggregation aggregation(Scan.Kind kind) {
    return switch (kind) {
      case SUM -> GroupByScanAggregation.sum();
      case MIN -> GroupByScanAggregation.min();
      case MAX -> GroupByScanAggregation.max();
      case RANK -> GroupByScanAggregation.rank();
      case DENSE_RANK -> GroupByScanAggregation.denseRank();
    };
  }

  private static GroupByOptions sortedKeys() {
    return GroupByOptions.builder().withIgnoreNullKeys(false).withKeysSorted(true).build();
  }

  private static ColumnVector finished(Scan scan, ColumnVector scanned, Table partition) {
    return switch (scan.kind()) {
      case SUM -> scanned.incRefCount();
      case RANK, DENSE_RANK -> scanned.castTo(DType.INT32);
      case MIN, MAX -> lastKnown(scanned, partition);
    };
  }

  /**
   * The running extremes. libcudf gives null where a row's value is null: such rows get the extreme
   * before them.
   */
  private static ColumnVector lastKnown(ColumnVector scanned, Table partition) {
    if (!scanned.hasNulls()) {
      return scanned.incRefCount();
    }
    int width = partition.getNumberOfColumns();
    ColumnVector[] columns = new ColumnVector[width + 1];
    for (int i = 0; i < width; i++) {
      columns[i] = partition.getColumn(i);
    }
    columns[width] = scanned;
    try (Table input = new Table(columns);
        Table replaced =
            input
                .groupBy(sortedKeys(), IntStream.range(0, width).toArray())
                .replaceNulls(ReplacePolicy.PRECEDING.onColumn(width))) {
      return replaced.getColumn(replaced.getNumberOfColumns() - 1).incRefCount();
    }
  }

  /** The rows, each with the scan results of its last peer, the last row of equal keys. */
  private DeviceBatch ofPeers(DeviceBatch sorted, DeviceBatch scans) {
    try (Table keys = keys(sorted);
        Table peers = lastOfPeers(keys);
        Table all = DeviceBatches.table(scans);
        Table last = all.gather(peers.getColumn(keys.getNumberOfColumns()));
        DeviceBatch results = DeviceBatches.batch(last, scans.width());
        Table peerKeys = firstColumns(peers, keys.getNumberOfColumns())) {
      return PartitionWindow.withResults(sorted, keys, results, peerKeys);
    }
  }

  /** The keys, each once, and the ordinal of the last row that has them. */
  private static Table lastOfPeers(Table keys) {
    int width = keys.getNumberOfColumns();
    try (GroupByBuilder groups =
        new GroupByBuilder(
            DeviceBatches.of(
                IntStream.range(0, width).boxed().toList(),
                i -> keys.getColumn(i).incRefCount()))) {
      groups.add(GroupByAggregation.max(), numbers(keys.getRowCount()));
      return groups.run();
    }
  }

  private static Table firstColumns(Table table, int count) {
    return new Table(
        IntStream.range(0, count).mapToObj(table::getColumn).toArray(ColumnVector[]::new));
  }
}
