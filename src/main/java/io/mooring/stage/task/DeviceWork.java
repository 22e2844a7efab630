package io.mooring.stage.task;

import io.mooring.datasource.ScanReaderFactory;
import io.mooring.gpu.GpuRuntime;
import io.mooring.gpu.SharedObjects;
import io.mooring.gpu.TaskGpu;
import io.mooring.scan.plan.ScanContext;
import java.util.function.Function;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;

/** Work of a task on its device, beside the reading of units. */
public final class DeviceWork {
  private DeviceWork() {}

  /**
   * Does some work with the task's device current for this thread; null where no GPU is to be had.
   *
   * @param factory of the readers of a scan of the task
   * @param work gets room on the device, which is given back when it returns
   */
  public static <T> @Nullable T run(
      PartitionReaderFactory factory, Function<SharedObjects.Room, @Nullable T> work) {
    GpuRuntime runtime = ((ScanReaderFactory) factory).context().gpu();
    if (!runtime.usable()) {
      return null;
    }
    try (TaskGpu gpu = ScanContext.ofTask(runtime)) {
      gpu.useOnThisThread();
      try (SharedObjects.TemporaryRoom room = gpu.objects().room()) {
        return work.apply(room);
      }
    }
  }
}
