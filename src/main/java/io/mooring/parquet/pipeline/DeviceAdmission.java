package io.mooring.parquet.pipeline;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Admits units to the device by the bytes they are expected to need, first come, first served. A
 * unit larger than everything is admitted alone. Thread-safe.
 */
public final class DeviceAdmission {
  private static final int MIB_SHIFT = 20;
  // A task can hold room for one scan while it waits for room for another: no wait may be endless.
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final int capacity;
  private final Duration patience;
  private final Semaphore permits;

  /** Admits up to {@code bytes} device bytes at a time. */
  public DeviceAdmission(long bytes) {
    this(bytes, PATIENCE);
  }

  DeviceAdmission(long bytes, Duration patience) {
    this.capacity = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes >> MIB_SHIFT));
    this.patience = patience;
    this.permits = new Semaphore(capacity, true);
  }

  /**
   * Waits its turn; returns the permits to hand back.
   *
   * @throws DeviceBusyException when its turn has not come after minutes
   */
  int acquire(long bytes) throws InterruptedException {
    int wanted = permitsFor(bytes);
    if (!permits.tryAcquire(wanted, patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new DeviceBusyException(
          String.format(
              "No %,d MiB of device memory came free within %,d s", wanted, patience.toSeconds()));
    }
    return wanted;
  }

  /** As {@link #acquire}, but 0 at once when there is no room or others wait. */
  int tryAcquire(long bytes) {
    int wanted = permitsFor(bytes);
    return !permits.hasQueuedThreads() && permits.tryAcquire(wanted) ? wanted : 0;
  }

  void release(int held) {
    permits.release(held);
  }

  /** Device bytes that are admitted, in whole MiB. */
  public long admittedBytes() {
    return (long) (capacity - permits.availablePermits()) << MIB_SHIFT;
  }

  /** Whether nothing is admitted. */
  public boolean isIdle() {
    return permits.availablePermits() == capacity;
  }

  private int permitsFor(long bytes) {
    return (int) Math.max(1, Math.min(capacity, (bytes >> MIB_SHIFT) + 1));
  }
}
