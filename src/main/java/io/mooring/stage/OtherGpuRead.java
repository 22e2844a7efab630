package io.mooring.stage;

import ai.rapids.cudf.Table;
import io.mooring.columnar.PackedTable;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.LentDevice;
import io.mooring.gpu.Room;
import io.mooring.stage.device.DeviceBatches;
import io.mooring.stage.task.DeviceWork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads some partial groups of a task on a GPU that was lent to it, on a thread beside the task's,
 * and brings them to host memory. Belongs to the thread of the task.
 */
final class OtherGpuRead implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherGpuRead.class);

  private final LentDevice device;
  private final GroupStages groups;
  private final List<List<InputPartition>> inputs;
  private final int threads;
  private final TaskContext task = TaskContext.get();
  private @Nullable DecodeThread thread;

  // Written by the other thread before it ends.
  private List<PackedTable> packed = List.of();
  private List<List<InputPartition>> left;

  /**
   * @param inputs by stage
   * @param threads the most that decode at a time
   */
  OtherGpuRead(
      LentDevice device, GroupStages groups, List<List<InputPartition>> inputs, int threads) {
    this.device = device;
    this.groups = groups;
    this.inputs = inputs;
    this.threads = threads;
    this.left = inputs;
  }

  void start() {
    thread = DecodeThread.start(() -> device.run(this::readForTask));
  }

  private void readForTask() {
    TaskContext$.MODULE$.setTaskContext(task);
    try {
      DeviceWork.run(groups.factory(), this::read);
    } catch (Throwable e) {
      // The task's GPU reads all of it, and meets again what is not this GPU's fault.
      LOG.info("A task's own GPU reads what another one did not: {}", e.toString());
      LOG.debug("The other GPU failed", e);
    } finally {
      TaskContext$.MODULE$.unset();
    }
  }

  private @Nullable Void read(Room room) {
    try (PreparedSources prepared = PreparedSources.of(groups.sources(inputs, room))) {
      ParallelStageReader.GpuRows read = ParallelStageReader.readByGpu(prepared, threads);
      if (read != null) {
        pack(read, room);
      }
    }
    return null;
  }

  private void pack(ParallelStageReader.GpuRows read, Room room) {
    List<PackedTable> all = new ArrayList<>();
    boolean complete = false;
    try {
      for (DeviceBatch batch : read.rows()) {
        if (batch.rows() > 0) {
          room.take(batch.bytes());
          try (Table table = DeviceBatches.table(batch)) {
            all.add(PackedTable.of(table));
          }
        }
      }
      complete = device.usable();
    } finally {
      read.rows().forEach(DeviceBatch::close);
      if (complete) {
        packed = all;
        left = read.left();
      } else {
        all.forEach(PackedTable::close);
      }
    }
  }

  /**
   * Waits until the other GPU has read.
   *
   * @return what it did not read, by stage
   * @throws CancellationException when the calling thread is interrupted, which it stays
   */
  List<List<InputPartition>> await() {
    try {
      if (thread != null) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the wait for another GPU was interrupted");
    }
    DeviceWork.killIfInterrupted();
    return left;
  }

  /**
   * The groups on the GPU that is current for the calling thread, which closes them; after {@link
   * #await}.
   *
   * @throws io.mooring.gpu.RefusedException when there is no room for them
   */
  List<DeviceBatch> take(Room room) {
    room.take(packed.stream().mapToLong(PackedTable::bytes).sum());
    List<DeviceBatch> rows = new ArrayList<>();
    boolean complete = false;
    try {
      for (PackedTable each : packed) {
        try (Table table = each.onDevice()) {
          rows.add(DeviceBatches.batch(table, table.getNumberOfColumns()));
        }
      }
      complete = true;
      return rows;
    } finally {
      if (!complete) {
        rows.forEach(DeviceBatch::close);
      }
    }
  }

  /** Ends the read, where it has not ended, and gives the GPU back. */
  @Override
  public void close() {
    boolean interrupted = false;
    while (thread != null && !thread.hasEnded()) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    packed.forEach(PackedTable::close);
    device.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
