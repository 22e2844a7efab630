package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HashJoin;
import ai.rapids.cudf.OutOfBoundsPolicy;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.stage.program.OperatorMemory;
import io.mooring.stage.program.RowOperator.FullJoin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Joins all rows of two sides and keeps those that match none.
 *
 * @param room reserves bytes on the device before they are used; fails when there is no room
 */
record FullOuterJoin(FullJoin join, LongConsumer room) {
  private static final long PAIR_BYTES = 2L * Integer.BYTES;
  private static final long MOST_VALUE_BYTES = 16;

  /**
   * The rows, which the caller closes.
   *
   * @throws SparkFallbackException when they are too many for one table
   */
  DeviceBatch of(DeviceBatch streamed, DeviceBatch build) {
    // At least as many pairs as rows.
    room.accept(
        OperatorMemory.HASH_TABLE_BYTES * build.rows()
            + PAIR_BYTES * (streamed.rows() + build.rows()));
    try (Table streamedKeys = PartitionWindow.keys(join.keys(), streamed);
        Table buildKeys = PartitionWindow.keys(join.buildKeys(), build)) {
      // Keys that fail are an error, whether there are rows to match or not.
      return streamed.rows() == 0 || build.rows() == 0
          ? ofOneSide(streamed, build)
          : ofBoth(streamed, streamedKeys, build, buildKeys);
    }
  }

  private DeviceBatch ofBoth(
      DeviceBatch streamed, Table streamedKeys, DeviceBatch build, Table buildKeys) {
    try (HashJoin hash = new HashJoin(buildKeys, false)) {
      long count = streamedKeys.fullJoinRowCount(hash);
      checkSize(count, streamed, build);
      try (JoinMatches pairs = JoinMatches.of(streamedKeys.fullJoinGatherMaps(hash, count));
          DeviceBatch left = gathered(streamed, pairs.streamed());
          DeviceBatch right = gathered(build, pairs.build())) {
        return DeviceBatches.beside(left, right);
      }
    }
  }

  private void checkSize(long count, DeviceBatch streamed, DeviceBatch build) {
    if (count > Integer.MAX_VALUE) {
      throw new SparkFallbackException(count + " rows of a join are too many for one table");
    }
    double each =
        PAIR_BYTES
            + (double) streamed.bytes() / streamed.rows()
            + (double) build.bytes() / build.rows();
    room.accept((long) (count * each));
  }

  private static DeviceBatch gathered(DeviceBatch rows, ColumnVector numbers) {
    try (Table all = DeviceBatches.table(rows);
        Table found = all.gather(numbers, OutOfBoundsPolicy.NULLIFY)) {
      return DeviceBatches.batch(found, rows.width());
    }
  }

  /** The rows where one side has none: those of the other one, with nulls. */
  private DeviceBatch ofOneSide(DeviceBatch streamed, DeviceBatch build) {
    long rows = streamed.rows() + build.rows();
    int nulls = streamed.rows() == 0 ? streamed.width() : build.width();
    room.accept(rows * nulls * MOST_VALUE_BYTES);
    try (DeviceBatch left = orNulls(streamed, rows);
        DeviceBatch right = orNulls(build, rows)) {
      return DeviceBatches.beside(left, right);
    }
  }

  private static DeviceBatch orNulls(DeviceBatch side, long rows) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < side.width(); i++) {
      columns.add(side.column(i));
    }
    return new DeviceBatch(
        DeviceBatches.of(
            columns,
            column ->
                side.rows() == rows
                    ? column.incRefCount()
                    : DeviceBatches.nulls(column.getType(), rows)),
        rows);
  }
}
