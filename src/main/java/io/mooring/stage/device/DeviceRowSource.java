package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.SharedObjects;
import java.util.List;
import org.apache.spark.Partition;
import org.jspecify.annotations.Nullable;

/** Rows of Spark's that can be made on the device of the task that wants them there. */
public interface DeviceRowSource {
  /**
   * The rows of some partitions, in any order, which the caller closes. Uses the per-thread stream
   * of the calling thread, which is that of a task.
   *
   * @param room asked for as rows are made
   * @return null when the rows are to be had from Spark only
   */
  @Nullable List<DeviceBatch> onDevice(Partition[] partitions, SharedObjects.Room room);
}
