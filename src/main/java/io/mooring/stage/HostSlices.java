package io.mooring.stage;

import ai.rapids.cudf.Table;
import io.mooring.columnar.PackedTable;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.Room;
import io.mooring.stage.device.BatchSlices;
import io.mooring.stage.device.DeviceBatches;
import java.util.function.Consumer;

/** Slices of rows on their way from one device through host memory to another. */
final class HostSlices {
  private static final long SLICE_BYTES = 64L << 20;

  private HostSlices() {}

  /**
   * Gives copies of a batch's rows in host memory, one after the other, to a consumer that closes
   * them. The batch stays the caller's.
   *
   * @param room asked for each slice while it is copied
   * @throws io.mooring.gpu.RefusedException when there is no room for a slice
   */
  static void forEach(DeviceBatch batch, Room room, Consumer<PackedTable> use) {
    long count = Math.min(batch.rows(), 1 + batch.bytes() / SLICE_BYTES);
    BatchSlices.forEach(batch, (int) count, slice -> use.accept(packed(slice, room)));
  }

  /** Closes the slice. */
  private static PackedTable packed(DeviceBatch slice, Room room) {
    try (slice;
        Room.Temporary copy = room.temporary();
        Table table = DeviceBatches.table(slice)) {
      // The slice is one copy of rows of its batch, and is packed into another.
      copy.take(2 * slice.bytes());
      return PackedTable.of(table);
    }
  }

  /**
   * The rows of a slice on the device that is current for the calling thread, which closes them;
   * waits until they are there. The slice stays the caller's.
   *
   * @throws io.mooring.gpu.RefusedException when there is no room
   */
  static DeviceBatch onDevice(PackedTable slice, Room room) {
    room.take(slice.bytes());
    try (Table table = slice.onDevice()) {
      return DeviceBatches.batch(table, table.getNumberOfColumns());
    }
  }
}
