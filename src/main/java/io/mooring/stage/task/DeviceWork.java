package io.mooring.stage.task;

import io.mooring.datasource.ScanReaderFactory;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.GpuRuntime;
import io.mooring.gpu.LentDevice;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.Room;
import io.mooring.gpu.SharedObjects;
import io.mooring.gpu.TaskGpu;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.split.ScanPartition;
import io.mooring.scan.task.ScanWork;
import io.mooring.scan.task.TaskPlanner;
import io.mooring.scan.task.UnitCoalescer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work of a task on its device, beside the reading of units. */
public final class DeviceWork {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceWork.class);

  private DeviceWork() {}

  /**
   * Does some work with the task's device current for this thread; null where there is no GPU.
   *
   * @param factory of the readers of a scan of the task
   * @param work gets room on the device, which is given back when it returns
   */
  public static <T> @Nullable T run(
      PartitionReaderFactory factory, Function<Room, @Nullable T> work) {
    GpuRuntime runtime = ((ScanReaderFactory) factory).context().gpu();
    if (!runtime.usable()) {
      return null;
    }
    try (TaskGpu gpu = ScanContext.ofTask(runtime)) {
      gpu.useOnThisThread();
      try (Room.Temporary room = gpu.objects().room()) {
        return work.apply(room);
      }
    }
  }

  /**
   * The objects that tasks share on the device of the calling thread's task.
   *
   * @param factory of the readers of a scan of the task
   */
  public static Supplier<SharedObjects> objects(PartitionReaderFactory factory) {
    GpuRuntime runtime = ((ScanReaderFactory) factory).context().gpu();
    return () -> {
      try (TaskGpu gpu = ScanContext.ofTask(runtime)) {
        return gpu.objects();
      }
    };
  }

  /**
   * The GPUs of this process that no task uses, lent to the calling thread's task, which closes
   * them; none where there is little to read.
   *
   * @param factory of the readers of a scan of the task
   * @param partitions that the task reads, by scan
   */
  public static List<LentDevice> idleDevices(
      PartitionReaderFactory factory, List<List<InputPartition>> partitions) {
    long bytes =
        partitions.stream()
            .flatMap(ofScan -> splits(ofScan).stream())
            .mapToLong(FileSplit::length)
            .sum();
    return ((ScanReaderFactory) factory).context().gpu().lendIdle(bytes);
  }

  /** Whether the calling thread's task is the only one of its job, in a process of several GPUs. */
  public static boolean isOnlyTaskOfSeveralDevices(PartitionReaderFactory factory) {
    TaskContext task = TaskContext.get();
    return task != null
        && task.numPartitions() == 1
        && ((ScanReaderFactory) factory).context().gpu().devices().all().size() > 1;
  }

  /** Ends the calling thread's task if that was killed. */
  public static void killIfInterrupted() {
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.killTaskIfInterrupted();
    }
  }

  /** Whether the GPU reads any file of some partitions of a scan. */
  public static boolean reads(PartitionReaderFactory factory, List<InputPartition> partitions) {
    return ((ScanReaderFactory) factory).context().gpu().usable() && !splits(partitions).isEmpty();
  }

  static List<FileSplit> splits(List<InputPartition> partitions) {
    List<FileSplit> splits = new ArrayList<>();
    partitions.forEach(partition -> splits.addAll(((ScanPartition) partition).splits()));
    return splits;
  }

  /**
   * Has operators get the objects that tasks share before the first unit is read: other scans of
   * this task may have to make them, and would wait for room on the device that units hold.
   *
   * @return the context, pruned by the keys of build sides too
   * @throws SparkFallbackException when the device cannot have an object
   * @throws RefusedException when there is no room for an object, and the caller is to wait for
   *     room
   * @throws RuntimeException an error of the query in the rows of a build side
   */
  static ScanContext prepare(
      ScanContext context, List<FileSplit> splits, TaskGpu device, StageOperators operators) {
    if (splits.isEmpty()) {
      return context;
    }
    try {
      device.useOnThisThread();
      operators.prepare();
      return context.prunedBy(operators.keyRanges());
    } catch (SparkFallbackException | RefusedException | TaskKilledException e) {
      throw e;
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      if (operators.isErrorOfQuery(e)) {
        throw e;
      }
      // An operator that needs the object fails again, and Spark computes its rows.
      LOG.debug("An operator of a stage could not be prepared", e);
      return context;
    }
  }

  /** The units of some splits, for prepared operators; none where no row leaves the stage. */
  static List<ScanWork> units(
      TaskPlanner planner, List<FileSplit> splits, ScanContext context, StageOperators operators) {
    return planner.plan(
        operators.giveNothing() ? List.of() : splits, UnitCoalescer.ofStage(context));
  }

  /** Closes what a reader that could not be opened has of its device. */
  static void release(TaskGpu device, StageOperators operators) {
    device.makeCurrentForRelease();
    operators.close();
    device.close();
  }
}
