package io.mooring.parquet;

import java.util.concurrent.Semaphore;

/**
 * Admits units to the device by the bytes they are expected to need, first come, first served. A
 * unit larger than everything is admitted alone. Thread-safe.
 */
public final class DeviceAdmission {
  private static final int MIB_SHIFT = 20;

  private final int capacity;
  private final Semaphore permits;

  /** Admits up to {@code bytes} device bytes at a time. */
  public DeviceAdmission(long bytes) {
    this.capacity = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes >> MIB_SHIFT));
    this.permits = new Semaphore(capacity, true);
  }

  /** Waits its turn; returns the permits to hand back. */
  int acquire(long bytes) throws InterruptedException {
    int wanted = permitsFor(bytes);
    permits.acquire(wanted);
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

  private int permitsFor(long bytes) {
    return (int) Math.max(1, Math.min(capacity, (bytes >> MIB_SHIFT) + 1));
  }
}
