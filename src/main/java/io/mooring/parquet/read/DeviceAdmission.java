package io.mooring.parquet.read;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Admits units to the device by the bytes they are expected to need, first come, first served. A
 * unit larger than the device is admitted alone. Room that is reserved for objects that tasks share
 * is not admitted to. Thread-safe.
 */
public final class DeviceAdmission {
  private static final int MIB_SHIFT = 20;
  // A task can hold room for one scan while it waits for room for another: every wait has an end.
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  // How long a unit for which there may never be room stays in front of others.
  private static final Duration TURN = Duration.ofSeconds(5);

  private final int capacity;
  private final Duration patience;
  private final Duration turn;
  private final Queue<Object> waiting = new ArrayDeque<>();
  private int admitted;
  private int reserved;

  /** Admits up to {@code bytes} device bytes at a time. */
  public DeviceAdmission(long bytes) {
    this(bytes, PATIENCE, TURN);
  }

  DeviceAdmission(long bytes, Duration patience, Duration turn) {
    this.capacity = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes >> MIB_SHIFT));
    this.patience = patience;
    this.turn = turn;
  }

  /**
   * Waits for its turn; returns the permits, for {@link #release}. A unit may need room that is
   * reserved for shared objects, so that it is not certain to come free. Such a unit lets other
   * waiting units go first from time to time: the task of one of them may hold those objects.
   *
   * @throws DeviceBusyException when its turn has not come within two minutes
   */
  synchronized int acquire(long bytes) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long start = System.nanoTime();
    long turns = 1;
    Object place = new Object();
    waiting.add(place);
    try {
      // What is reserved changes meanwhile, and with it what a unit as large as the device gets.
      while (waiting.peek() != place || !hasRoom(bytes)) {
        long waited = System.nanoTime() - start;
        if (waited >= patience.toNanos()) {
          throw new DeviceBusyException(
              String.format(
                  "No %,d MiB of device memory came free within %,d s",
                  permitsFor(bytes), patience.toSeconds()));
        } else if (waited >= turns * turn.toNanos()) {
          turns++;
          letOthersGoFirst(place, bytes);
        }
        long next = Math.min(patience.toNanos(), turns * turn.toNanos());
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, next - waited));
      }
      return admit(bytes);
    } finally {
      waiting.remove(place);
      notifyAll();
    }
  }

  private void letOthersGoFirst(Object place, long bytes) {
    boolean isCertain = permitsFor(bytes) <= capacity - mostReserved();
    if (!isCertain) {
      waiting.remove(place);
      waiting.add(place);
      notifyAll();
    }
  }

  /** Acquires without waiting; 0 when there is no room or others wait. */
  synchronized int tryAcquire(long bytes) {
    return waiting.isEmpty() && hasRoom(bytes) ? admit(bytes) : 0;
  }

  private boolean hasRoom(long bytes) {
    return permitsFor(bytes) <= capacity - reserved - admitted;
  }

  private int admit(long bytes) {
    int permits = permitsFor(bytes);
    admitted += permits;
    return permits;
  }

  synchronized void release(int held) {
    admitted -= held;
    notifyAll();
  }

  /**
   * Reserves room on the device for objects that stay there beside units, without waiting: admitted
   * units may have to end before the next is admitted. At most half of the device is reserved.
   *
   * @return the permits, for {@link #giveUp}; 0 when more than half would be reserved
   */
  public synchronized int keep(long bytes) {
    long wanted = (bytes >> MIB_SHIFT) + 1;
    if (reserved + wanted > mostReserved()) {
      return 0;
    }
    reserved += (int) wanted;
    // A unit that takes all that is not reserved gets less now.
    notifyAll();
    return (int) wanted;
  }

  /** Gives reserved room back to units. */
  public synchronized void giveUp(int reservedPermits) {
    reserved -= reservedPermits;
    notifyAll();
  }

  private int mostReserved() {
    return capacity / 2;
  }

  /** Device bytes that units and reserved room may take together, in whole MiB. */
  public long capacityBytes() {
    return (long) capacity << MIB_SHIFT;
  }

  /** The most device bytes that can be reserved, in whole MiB. */
  public long mostReservedBytes() {
    return (long) mostReserved() << MIB_SHIFT;
  }

  /** Device bytes that are reserved, in whole MiB. */
  public synchronized long reservedBytes() {
    return (long) reserved << MIB_SHIFT;
  }

  /** Device bytes that units are admitted to, in whole MiB. */
  public synchronized long admittedBytes() {
    return (long) admitted << MIB_SHIFT;
  }

  /** Device bytes that are neither reserved nor admitted to, in whole MiB. */
  public synchronized long unreservedBytes() {
    return Math.max(0L, capacity - reserved - admitted) << MIB_SHIFT;
  }

  /** Whether no unit is admitted. */
  public boolean isIdle() {
    return admittedBytes() == 0;
  }

  private int permitsFor(long bytes) {
    return (int) Math.max(1, Math.min(capacity - reserved, (bytes >> MIB_SHIFT) + 1));
  }
}
