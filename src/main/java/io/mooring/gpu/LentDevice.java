package io.mooring.gpu;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A GPU of this process that no task used, lent to a task beside its own GPU. Threads that work on
 * it get it wherever they ask for the GPU of the task. Thread-safe.
 */
public final class LentDevice implements AutoCloseable {
  private static final ThreadLocal<@Nullable Device> OF_THREAD = new ThreadLocal<>();

  private final Devices devices;
  private final Device device;
  private final AtomicBoolean returned = new AtomicBoolean();

  LentDevice(Devices devices, Device device) {
    this.devices = devices;
    this.device = device;
  }

  /** The GPU that was lent to the work of the calling thread, or null. */
  static @Nullable Device ofThread() {
    return OF_THREAD.get();
  }

  /** Does work on the calling thread with this GPU as that of the task. */
  public void run(Runnable work) {
    run(device, work);
  }

  private static void run(Device device, Runnable work) {
    Device before = OF_THREAD.get();
    OF_THREAD.set(device);
    try {
      work.run();
    } finally {
      OF_THREAD.set(before);
    }
  }

  /** The same work for another thread, where it has the GPU that the calling thread has now. */
  public static Runnable inherited(Runnable work) {
    Device device = OF_THREAD.get();
    return device == null ? work : () -> run(device, work);
  }

  /** Whether the GPU is still used. */
  public boolean usable() {
    return device.problem() == null;
  }

  /** Gives the GPU back; more than once does no harm. */
  @Override
  public void close() {
    if (returned.compareAndSet(false, true)) {
      devices.giveBack(device);
    }
  }
}
