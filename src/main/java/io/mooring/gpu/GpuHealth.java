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
 * Whether a GPU that has come up may still be used. Once it may not it never may again, and one
 * ERROR says what happened and what to do. Thread-safe.
 */
public final class GpuHealth {
  // More than the tasks of an executor that meet one fault at the same moment.
  private static final int FAILURES_WITHOUT_SUCCESS = 32;

  private static final Logger LOG = LoggerFactory.getLogger(GpuHealth.class);
  // Devices that are lost together meet it in several tasks at once: one of them tells.
  private static final Object LOSING = new Object();

  /** All devices of the process, this one among them. */
  interface Siblings {
    /** Finds out which of them are lost. */
    void look();

    /** Says how scans go on. */
    String goesOn();
  }

  private final int number;
  private final String device;
  private final Siblings siblings;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String problem;

  /**
   * Of a device that is well.
   *
   * @param number CUDA's
   * @param device its name
   * @param siblings all devices of the process, this one among them
   */
  GpuHealth(int number, String device, Siblings siblings) {
    this.number = number;
    this.device = device;
    this.siblings = siblings;
  }

  /** Why the GPU is not to be used any more, or null. */
  @Nullable String problem() {
    return problem;
  }

  /**
   * Asks the driver, because the texts and types of errors do not tell: libraries wrap them.
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
          siblings.goesOn(),
          failure);
    }
    return true;
  }

  private boolean lose(String error) {
    synchronized (LOSING) {
      boolean first = endLost(error);
      if (first) {
        siblings.look();
      }
      return first;
    }
  }

  /** Finds out whether it is lost too, when another device of the process is. */
  void look() {
    String error = problem == null ? TransferJni.contextProblem(number) : null;
    if (error != null) {
      endLost(error);
    }
  }

  private boolean endLost(String error) {
    return end("the GPU was lost: " + error);
  }

  /** A part of a scan came through. */
  public void succeeded() {
    if (failures.get() != 0) {
      failures.set(0);
    }
  }

  /**
   * A part of a scan failed through the device, and not through its file. After many without a
   * success the GPU is not used any more.
   */
  public void failed(Throwable failure) {
    if (failures.incrementAndGet() >= FAILURES_WITHOUT_SUCCESS
        && end("no scan came through on the GPU any more: " + failure.getMessage())) {
      LOG.error(
          "Mooring gives {} up: {} parts of scans in a row failed on it. {}. Free the GPU's memory"
              + " or set {} to less, and restart the executor to use the GPU again",
          device,
          FAILURES_WITHOUT_SUCCESS,
          siblings.goesOn(),
          GpuEntries.MEMORY_FRACTION.key(),
          failure);
    }
  }

  /** A decode has taken so long that it may never end; the task that waits for it stays. */
  void doesNotEnd(String files, Duration limit) {
    if (end("decoding " + files + " did not end")) {
      ExitJni.skipNativeCleanup();
      LOG.error(
          "Mooring gives {} up: decoding {} has not ended within {} s, and nothing can break it off."
              + " {}. Restart the executor to end it and to use the GPU again",
          device,
          files,
          limit.toSeconds(),
          siblings.goesOn());
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
