package io.mooring.parquet.read;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Admits units to the device by the bytes they are expected to need, first come, first served. A
 * unit larger than the device is admitted alone. Room that is kept for objects that tasks share is
 * not admitted to. Thread-safe.
 */
public final class DeviceAdmission {
  private static final int MIB_SHIFT = 20;
  // How long a unit that would fill the device waits before it reads the capacity again.
  private static final Duration RECHECK = Duration.ofSeconds(5);
  // A task can hold room for one scan while it waits for room for another: every wait has an end.
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final int capacity;
  private final Duration patience;
  private final Permits permits;
  private int kept;

  /** Permits that can be taken away while others wait, or are still held. */
  private static final class Permits extends Semaphore {
    private static final long serialVersionUID = 1;

    Permits(int number) {
      super(number, true);
    }

    void takeAway(int number) {
      reducePermits(number);
    }
  }

  /** Admits up to {@code bytes} device bytes at a time. */
  public DeviceAdmission(long bytes) {
    this(bytes, PATIENCE);
  }

  DeviceAdmission(long bytes, Duration patience) {
    this.capacity = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes >> MIB_SHIFT));
    this.patience = patience;
    this.permits = new Permits(capacity);
  }

  /**
   * Waits for its turn; returns the permits, for {@link #release}.
   *
   * @throws DeviceBusyException when its turn has not come within two minutes
   */
  int acquire(long bytes) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      int wanted = permitsFor(bytes);
      // At most this much can have been taken away when its turn comes.
      boolean always = wanted <= capacity - mostKept();
      long wait = until - System.nanoTime();
      long nanos = always ? wait : Math.min(wait, RECHECK.toNanos());
      if (permits.tryAcquire(wanted, nanos, TimeUnit.NANOSECONDS)) {
        return wanted;
      } else if (nanos == wait) {
        throw new DeviceBusyException(
            String.format(
                "No %,d MiB of device memory came free within %,d s",
                wanted, patience.toSeconds()));
      }
    }
  }

  /** Acquires without waiting; 0 when there is no room or others wait. */
  int tryAcquire(long bytes) {
    int wanted = permitsFor(bytes);
    return !permits.hasQueuedThreads() && permits.tryAcquire(wanted) ? wanted : 0;
  }

  void release(int held) {
    permits.release(held);
  }

  /**
   * Keeps room on the device for objects that stay there beside units, without waiting: admitted
   * units may have to end before the next is admitted. At most half of the device is kept.
   *
   * @return the permits, for {@link #giveUp}; 0 when more than half would be kept
   */
  public synchronized int keep(long bytes) {
    long wanted = (bytes >> MIB_SHIFT) + 1;
    if (kept + wanted > mostKept()) {
      return 0;
    }
    kept += (int) wanted;
    permits.takeAway((int) wanted);
    return (int) wanted;
  }

  /** Gives kept room back to units. */
  public synchronized void giveUp(int permitsKept) {
    kept -= permitsKept;
    permits.release(permitsKept);
  }

  private int mostKept() {
    return capacity / 2;
  }

  /** Device bytes that units and kept room may take together, in whole MiB. */
  public long capacityBytes() {
    return (long) capacity << MIB_SHIFT;
  }

  /** Device bytes that are kept, in whole MiB. */
  public synchronized long reservedBytes() {
    return (long) kept << MIB_SHIFT;
  }

  /** Device bytes that units are admitted to, in whole MiB. */
  public synchronized long admittedBytes() {
    return (long) (capacity - kept - permits.availablePermits()) << MIB_SHIFT;
  }

  /** Whether no unit is admitted. */
  public boolean isIdle() {
    return admittedBytes() == 0;
  }

  private synchronized int permitsFor(long bytes) {
    return (int) Math.max(1, Math.min(capacity - kept, (bytes >> MIB_SHIFT) + 1));
  }
}
