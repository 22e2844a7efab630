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
   * Whether making the rows can take more room than the rows do, as joins and groups can. If so,
   * rows that the host makes may fit where the device has no room to make them.
   */
  default boolean needsMoreRoomThanRows() {
    return false;
  }
}
