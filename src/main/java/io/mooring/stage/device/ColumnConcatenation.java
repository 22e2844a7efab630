package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.Room;
import io.mooring.stage.program.OperatorMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes one batch of the rows of several, column by column: the parts of a column are freed before
 * the next is copied, so that one column at a time is there twice. Columns that share a buffer are
 * freed with the last of them. Belongs to one thread.
 */
final class ColumnConcatenation implements AutoCloseable {
  private final List<List<ColumnVector>> columns;
  private final long rows;

  private ColumnConcatenation(List<List<ColumnVector>> columns, long rows) {
    this.columns = columns;
    this.rows = rows;
  }

  /**
   * Takes over the batches, also when it fails.
   *
   * @param batches at least one, with the same columns
   * @param room for the copy of a column: as much as a hash table of the rows takes later, so that
   *     no build side is refused for the copy alone
   */
  static DeviceBatch of(List<DeviceBatch> batches, Room room) {
    long rows = batches.stream().mapToLong(DeviceBatch::rows).sum();
    List<List<ColumnVector>> columns = new ArrayList<>();
    try {
      for (int i = 0; i < batches.get(0).width(); i++) {
        int column = i;
        columns.add(batches.stream().map(it -> it.column(column).incRefCount()).toList());
      }
    } finally {
      batches.forEach(DeviceBatch::close);
    }
    try (ColumnConcatenation all = new ColumnConcatenation(columns, rows);
        Room.Temporary copy = room.temporary()) {
      copy.take(rows * OperatorMemory.HASH_TABLE_BYTES);
      return all.copied();
    }
  }

  private DeviceBatch copied() {
    List<Integer> ordinals = IntStream.range(0, columns.size()).boxed().toList();
    return new DeviceBatch(DeviceBatches.of(ordinals, this::copied), rows);
  }

  private ColumnVector copied(int column) {
    List<ColumnVector> parts = columns.get(column);
    ColumnVector all = ColumnVector.concatenate(parts.toArray(ColumnVector[]::new));
    parts.forEach(ColumnVector::close);
    columns.set(column, List.of());
    return all;
  }

  @Override
  public void close() {
    columns.forEach(parts -> parts.forEach(ColumnVector::close));
  }
}
