package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.Room;
import java.util.List;
import org.apache.spark.Partition;
import org.jspecify.annotations.Nullable;

/** An RDD of rows that a task can have on its device. */
public interface DeviceRowSource {
  /**
   * The rows of some partitions, in any order; the caller closes the batches. Uses the per-thread
   * stream of the calling thread, which is a task's.
   *
   * @param room asked for as rows are made
   * @return null when only Spark can compute the rows
   * @throws RefusedException when there is no room
   */
  @Nullable List<DeviceBatch> onDevice(Partition[] partitions, Room room);

  /**
   * Whether the rows may have room where there is none to make them: those of groups, and those
   * that joins leave.
   */
  default boolean needsMoreRoomThanRows() {
    return false;
  }
}
