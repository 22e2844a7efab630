package io.mooring.gpu;

import io.mooring.conf.MooringConf;
import io.mooring.jni.ExitJni;
import io.mooring.jni.TransferJni;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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

  private final int number;
  private final String device;
  private final Supplier<String> goesOn;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String problem;

  /**
   * Of a device that is well.
   *
   * @param number CUDA's
   * @param device its name
   * @param goesOn says, when it has been lost, how scans go on
   */
  GpuHealth(int number, String device, Supplier<String> goesOn) {
    this.number = number;
    this.device = device;
    this.goesOn = goesOn;
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
    if (end("the GPU was lost: " + error)) {
      ExitJni.skipNativeCleanup();
      LOG.error(
          "Mooring lost {}: {}. {}. Look for Xid in the kernel's log, and restart the executor to"
              + " use the GPU again",
          device,
          error,
          goesOn.get(),
          failure);
    }
    return true;
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
          goesOn.get(),
          MooringConf.GPU_MEMORY_FRACTION.key(),
          failure);
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
