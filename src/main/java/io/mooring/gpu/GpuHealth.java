package io.mooring.gpu;

import io.mooring.conf.GpuEntries;
import io.mooring.jni.ExitJni;
import io.mooring.jni.TransferJni;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a GPU that has come up: used, paused after many failures, or given up for the life
 * of the process. An ERROR explains each change for the worse. Thread-safe.
 */
public final class GpuHealth {
  // More than the tasks of an executor that one fault can hit at the same moment.
  private static final int FAILURES_WITHOUT_SUCCESS = 32;
  // After a pause, fewer failures lead to the next one.
  private static final int FAILURES_AFTER_PAUSE = 4;
  private static final Duration FIRST_PAUSE = Duration.ofMinutes(5);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

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
  private final LongSupplier clock;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String problem;
  private volatile boolean paused;
  // In the clock's time.
  private volatile long pausedUntil;
  private Duration pause = FIRST_PAUSE;

  /**
   * Takes a device that works.
   *
   * @param number CUDA's
   * @param device its name
   * @param group all devices of the process, this one among them
   */
  GpuHealth(int number, String device, DeviceGroup group) {
    this(number, device, group, System::nanoTime);
  }

  /**
   * @param clock the time in nanoseconds, as {@link System#nanoTime}
   */
  GpuHealth(int number, String device, DeviceGroup group, LongSupplier clock) {
    this.number = number;
    this.device = device;
    this.group = group;
    this.clock = clock;
  }

  /** Why the GPU is not to be used, or null. */
  @Nullable String problem() {
    if (paused && clock.getAsLong() - pausedUntil >= 0) {
      resume();
    }
    return problem;
  }

  /** Whether it is given up for the life of the process. */
  private synchronized boolean isOver() {
    return problem != null && !paused;
  }

  private synchronized void resume() {
    if (paused) {
      // Tasks that had begun before the pause have added theirs.
      failures.set(FAILURES_WITHOUT_SUCCESS - FAILURES_AFTER_PAUSE);
      paused = false;
      problem = null;
      LOG.info("Mooring tries {} again", device);
    }
  }

  /**
   * Asks the CUDA driver, because libraries wrap errors: their types and texts are not reliable.
   *
   * @return whether the CUDA context of this process on the device is lost
   */
  public boolean isLost(Throwable failure) {
    if (isOver()) {
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
    String error = isOver() ? null : TransferJni.contextProblem(number);
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
      forgetFailures();
    }
  }

  private synchronized void forgetFailures() {
    failures.set(0);
    pause = FIRST_PAUSE;
  }

  /**
   * Notes that a part of a scan has failed because of the device, not of its file. After many in a
   * row the GPU is not used for some minutes, and longer each time that this changed nothing: what
   * fails most often is device memory that another process has taken.
   */
  public void failed(Throwable failure) {
    if (failures.incrementAndGet() < FAILURES_WITHOUT_SUCCESS) {
      return;
    }
    Duration length = pause("scans only failed on the GPU: " + failure.getMessage());
    if (length != null) {
      LOG.error(
          "Mooring does not use {} for {} s: {} parts of scans in a row failed on it. {}. Free the"
              + " GPU's memory or set {} to less",
          device,
          length.toSeconds(),
          FAILURES_WITHOUT_SUCCESS,
          group.fallbackMessage(),
          GpuEntries.MEMORY_FRACTION.key(),
          failure);
    }
  }

  /** How long the GPU is not used; null where it is not used already. */
  private synchronized @Nullable Duration pause(String why) {
    if (problem != null) {
      return null;
    }
    Duration length = pause;
    problem = why;
    pausedUntil = clock.getAsLong() + length.toNanos();
    paused = true;
    pause = Collections.min(List.of(length.multipliedBy(2), LONGEST_PAUSE));
    return length;
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
    if (isOver()) {
      return false;
    }
    paused = false;
    problem = why;
    return true;
  }
}
