package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.GatherMap;
import ai.rapids.cudf.Table;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.program.WindowOperator;
import java.util.List;

/** Adds the results of aggregates of whole partitions to rows, which keep their order. */
final class PartitionWindow {
  private PartitionWindow() {}

  /** The rows with the results; the caller closes them. */
  static DeviceBatch of(WindowOperator.Whole window, DeviceBatch rows) {
    List<DeviceExpr> keys = window.groups().keys();
    try (DeviceBatch partitions = new PartialGrouping(window.groups()).group(rows);
        DeviceBatch results = DeviceOperators.projected(window.results(), partitions);
        Table ofRows = keys(keys, rows);
        DeviceBatch groupKeys = DeviceBatches.first(partitions, keys.size());
        Table ofPartitions = DeviceBatches.table(groupKeys)) {
      return withResults(rows, ofRows, results, ofPartitions);
    }
  }

  /**
   * The rows in their order, each beside the result of its keys. Null equals null.
   *
   * @param ofRows the keys of the rows
   * @param ofResults the keys of the results, without duplicates; they include all keys of the rows
   */
  static DeviceBatch withResults(
      DeviceBatch rows, Table ofRows, DeviceBatch results, Table ofResults) {
    try (GatherMap map = ofRows.leftDistinctJoinGatherMap(ofResults, true);
        ColumnVector numbers = JoinMatches.numbers(map);
        Table all = DeviceBatches.table(results);
        Table found = all.gather(numbers);
        DeviceBatch beside = DeviceBatches.batch(found, results.width())) {
      return DeviceBatches.beside(rows, beside);
    }
  }

  /** The keys of rows; one that is equal for all where there are none. */
  static Table keys(List<DeviceExpr> keys, DeviceBatch rows) {
    try (DeviceBatch values = DeviceOperators.projected(keys, rows)) {
      return DeviceBatches.table(values);
    }
  }
}
