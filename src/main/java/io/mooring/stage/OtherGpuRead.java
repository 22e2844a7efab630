package io.mooring.stage;

import io.mooring.columnar.PackedTable;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.LentDevice;
import io.mooring.gpu.Room;
import io.mooring.stage.task.DeviceWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads some partial groups of a task on a GPU that was lent to it, on a thread beside the task's.
 * The groups come slice by slice through host memory to the task's GPU. Belongs to the thread of
 * the task.
 */
final class OtherGpuRead implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherGpuRead.class);
  private static final long LOOK_MILLIS = 50;
  // A decode on a GPU that was given up may never end.
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LentDevice device;
  private final GroupStages groups;
  private final List<List<InputPartition>> inputs;
  private final int threads;
  private final TaskContext task = TaskContext.get();
  // Nothing comes after an empty one.
  private final BlockingQueue<Optional<PackedTable>> slices = new ArrayBlockingQueue<>(1);
  private volatile boolean closed;
  private volatile ParallelStageReader.@Nullable GpuRows complete;
  private @Nullable DecodeThread thread;
  private long unusableSince;

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
  }

  /** Begins to read, where a thread can be started. */
  void start() {
    try {
      thread = DecodeThread.start(() -> device.run(this::readForTask));
    } catch (RuntimeException | OutOfMemoryError e) {
      logFailure(e);
    }
  }

  private static void logFailure(Throwable cause) {
    LOG.info("A task's own GPU reads what another one did not: {}", cause.toString());
    LOG.debug("The other GPU failed", cause);
  }

  private void readForTask() {
    TaskContext$.MODULE$.setTaskContext(task);
    try {
      DeviceWork.run(groups.factory(), this::read);
      handOver(Optional.empty());
    } catch (Throwable e) {
      // The task's GPU reads all of it, and meets again what is not this GPU's fault.
      if (!closed) {
        logFailure(e);
      }
      slices.offer(Optional.empty());
    } finally {
      TaskContext$.MODULE$.unset();
      device.close();
      if (closed) {
        closeSlices();
      }
    }
  }

  private @Nullable Void read(Room room) {
    try (PreparedSources prepared = PreparedSources.of(groups.sources(inputs, room))) {
      ParallelStageReader.GpuRows read = ParallelStageReader.readByGpu(prepared, threads);
      if (read != null) {
        handOver(read, room);
      }
    }
    return null;
  }

  private void handOver(ParallelStageReader.GpuRows read, Room room) {
    try {
      for (DeviceBatch batch : read.rows()) {
        HostSlices.forEach(batch, room, slice -> handOver(Optional.of(slice)));
      }
    } finally {
      read.rows().forEach(DeviceBatch::close);
    }
    if (device.usable()) {
      complete = read;
    }
  }

  /** Waits until the task takes a slice; closes it if the task does not. */
  private void handOver(Optional<PackedTable> slice) {
    boolean taken = false;
    try {
      while (!taken && !closed) {
        taken = slices.offer(slice, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!taken) {
        slice.ifPresent(PackedTable::close);
      }
    }
    if (!taken) {
      throw new CancellationException("the task takes no groups of another GPU");
    }
  }

  /**
   * Adds the groups to others on the GPU that is current for the calling thread, as they come.
   *
   * @return what the other GPU did not read, by stage: all of it, and no group was added, where the
   *     GPU failed
   * @throws io.mooring.gpu.RefusedException when there is no room for a slice
   * @throws CancellationException when the calling thread is interrupted, which it stays
   */
  List<List<InputPartition>> addTo(List<DeviceBatch> all, Room room) {
    List<DeviceBatch> taken = new ArrayList<>();
    boolean added = false;
    try {
      while (takeNext(taken, room)) {
        // The rest follows.
      }
      ParallelStageReader.GpuRows read = complete;
      if (read == null) {
        return inputs;
      }
      read.count().run();
      added = all.addAll(taken);
      return read.left();
    } finally {
      if (!added) {
        taken.forEach(DeviceBatch::close);
      }
    }
  }

  /** Adds the groups of a slice; false when there is none any more. */
  private boolean takeNext(List<DeviceBatch> taken, Room room) {
    try (PackedTable slice = next()) {
      return slice != null && taken.add(HostSlices.onDevice(slice, room));
    }
  }

  /** The next slice; null after the last one, or if none can be expected any more. */
  private @Nullable PackedTable next() {
    try {
      DecodeThread reader = thread;
      boolean ended = false;
      while (reader != null && !ended && !isStuck()) {
        DeviceWork.killIfInterrupted();
        ended = reader.hasEnded();
        Optional<PackedTable> slice = slices.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (slice != null) {
          return slice.orElse(null);
        }
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the wait for another GPU was interrupted");
    }
  }

  /** Whether the GPU has been given up for so long that its thread will hardly end. */
  private boolean isStuck() {
    if (device.usable()) {
      return false;
    }
    unusableSince = unusableSince == 0 ? System.nanoTime() : unusableSince;
    return System.nanoTime() - unusableSince > PATIENCE_NANOS;
  }

  /** Has the read end soon; {@link #close} waits for that. */
  void interrupt() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /**
   * Ends the read. If its thread is stuck in a decode, that frees everything should it ever end.
   */
  @Override
  public void close() {
    interrupt();
    boolean interrupted = false;
    while (thread != null && !thread.hasEnded() && !isStuck()) {
      try {
        thread.join(LOOK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (thread == null) {
      device.close();
    }
    closeSlices();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeSlices() {
    for (Optional<PackedTable> next = slices.poll(); next != null; next = slices.poll()) {
      next.ifPresent(PackedTable::close);
    }
  }
}
