package io.mooring.gpu;

import io.mooring.parquet.read.ScanResources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The GPU of one task: one device of the process, taken when the task first needs one and kept as
 * long as any reader of the task is open; or, on threads that work on another device for the task,
 * the {@link LentDevice}. Belongs to one reader of the task.
 */
public final class TaskGpu implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskGpu.class);

  private final GpuRuntime runtime;
  private final long task;
  private final @Nullable Device lent = LentDevice.ofThread();
  private @Nullable Device device;

  TaskGpu(GpuRuntime runtime, long task) {
    this.runtime = runtime;
    this.task = task;
  }

  /** Whether the task may use the GPU; waits for its start. */
  public boolean usable() {
    return device == null ? runtime.usable() : device.problem() == null;
  }

  /** Why the GPU is not used; empty when it is. */
  public String reason() {
    String problem = device == null ? runtime.reason() : device.problem();
    return problem == null ? "" : problem;
  }

  /**
   * Whether the device is still used.
   *
   * @throws IllegalStateException when no GPU has come up
   */
  public GpuHealth health() {
    return device().health();
  }

  /**
   * The resources that scans on the device share.
   *
   * @throws IllegalStateException when no GPU has come up
   */
  public ScanResources scanResources() {
    return device().scanResources();
  }

  /**
   * The objects that tasks on the device share.
   *
   * @throws IllegalStateException when no GPU has come up
   */
  public SharedObjects objects() {
    return device().objects();
  }

  /** Makes the device current for the calling thread in both CUDA runtimes; cheap when it is. */
  public void useOnThisThread() {
    device().useOnThisThread();
  }

  /** Makes the device current before the task frees its memory there; never fails. */
  public void makeCurrentForRelease() {
    try {
      if (device != null) {
        device.useOnThisThread();
      }
    } catch (RuntimeException e) {
      // The device is lost, and what was on it with it.
      LOG.debug("The device could not be made current", e);
    }
  }

  private Device device() {
    if (device == null) {
      device = lent == null ? runtime.devices().take(task) : lent;
    }
    return device;
  }

  /** The task's reader needs it no more. */
  @Override
  public void close() {
    if (device != null) {
      device = null;
      if (lent == null) {
        runtime.devices().giveBack(task);
      }
    }
  }
}
