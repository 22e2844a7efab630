package io.mooring.gpu;

import io.mooring.conf.GpuEntries;
import io.mooring.jni.ExitJni;
import io.mooring.jni.TransferJni;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a GPU that has come up: used, or given up for the life of the process, which one
 * ERROR explains. Thread-safe.
 */
public final class GpuHealth {
  // More than the tasks of an executor that one fault can hit at the same moment.
  private static final int FAILURES_WITHOUT_SUCCESS = 32;

  private static final Logger LOG = LoggerFactory.getLogger(GpuHealth.class);
  // Several tasks notice devices that are lost together: one of them logs it.
  private static final Object LOSING = new Object();

  /** All devices of the process, this one among them. */
  interface DeviceGroup {
    /** Checks the context of each of them. */
    void checkContexts();

    /** How scans go on, as a sentence of a log line. */
    String fallbackMessage();
  }

  private final int number;
  private final String device;
  private final DeviceGroup group;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String problem;

  /**
   * Takes a device that works.
   *
   * @param number CUDA's
   * @param device its name
   * @param group all devices of the process, this one among them
   */
  GpuHealth(int number, String device, DeviceGroup group) {
    this.number = number;
    this.device = device;
    this.group = group;
  }

  /** Why the GPU is not to be used any more, or null. */
  @Nullable String problem() {
    return problem;
  }

  /**
   * Asks the CUDA driver, because libraries wrap errors: their types and texts are not reliable.
   *
   * @return whether the CUDA context of this process on the device is lost
   */
  public boolean isLost(Throwable failure) {
    if (problem != null) {
      return true;
    }
    String error = TransferJni.contextProblem(number);
    if (error == null) {
      return false;
    }
    if (lose(error)) {
      ExitJni.skipNativeCleanup();
      LOG.error(
          "Mooring lost {}: {}. {}. Look for Xid in the kernel's log, and restart the executor to"
              + " use the GPU again",
          device,
          error,
          group.fallbackMessage(),
          failure);
    }
    return true;
  }

  private boolean lose(String error) {
    synchronized (LOSING) {
      boolean first = endLost(error);
      if (first) {
        group.checkContexts();
      }
      return first;
    }
  }

  /** Finds out whether this device is lost too, when another of the process is. */
  void checkContext() {
    String error = problem == null ? TransferJni.contextProblem(number) : null;
    if (error != null) {
      endLost(error);
    }
  }

  private boolean endLost(String error) {
    return end("the GPU was lost: " + error);
  }

  /** Notes that a part of a scan has succeeded. */
  public void succeeded() {
    if (failures.get() != 0) {
      failures.set(0);
    }
  }

  /**
   * Notes that a part of a scan has failed because of the device, not of its file. After many in a
   * row the GPU is not used any more.
   */
  public void failed(Throwable failure) {
    if (failures.incrementAndGet() >= FAILURES_WITHOUT_SUCCESS
        && end("scans only failed on the GPU: " + failure.getMessage())) {
      LOG.error(
          "Mooring gives {} up: {} parts of scans in a row failed on it. {}. Free the GPU's memory"
              + " or set {} to less, and restart the executor to use the GPU again",
          device,
          FAILURES_WITHOUT_SUCCESS,
          group.fallbackMessage(),
          GpuEntries.MEMORY_FRACTION.key(),
          failure);
    }
  }

  /** Gives the GPU up because a decode may never end; the task that waits for it stays. */
  void onDecodeTimeout(String files, Duration limit) {
    if (end("decoding " + files + " did not end")) {
      ExitJni.skipNativeCleanup();
      LOG.error(
          "Mooring gives {} up: decoding {} has not ended within {} s, and cannot be cancelled."
              + " {}. Restart the executor to end it and to use the GPU again",
          device,
          files,
          limit.toSeconds(),
          group.fallbackMessage());
    }
  }

  private synchronized boolean end(String why) {
    if (problem != null) {
      return false;
    }
    problem = why;
    return true;
  }
}
