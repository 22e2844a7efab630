package io.mooring.gpu;

import io.mooring.gpu.RoomQueue.Place;
import java.util.function.Supplier;

/**
 * Work of a task that takes room on the device, is done again once others have given back what it
 * lacked, and holds nothing while it waits: no two tasks wait for what the other one holds.
 */
final class RoomAttempt {
  // What a refusal says of the bytes that the work needs can be too little.
  private static final int TRIES_AT_ONCE = 2;
  private static final int MOST_TRIES = 6;

  private static final ThreadLocal<Boolean> UNDER_WAY = ThreadLocal.withInitial(() -> false);

  private final DeviceRoom device;
  private final RoomWait wait;
  private final Place place = new Place();
  private int refusals;
  private boolean wasLast;
  private long start;

  RoomAttempt(DeviceRoom device, RoomWait wait) {
    this.device = device;
    this.wait = wait;
  }

  /**
   * Does the work.
   *
   * @param work gives back all that it took when it throws
   * @throws RefusedException when others have not given back enough in time; at once within the
   *     work of another attempt, because that one holds something
   */
  <T> T done(Supplier<T> work) {
    if (isUnderWay()) {
      return work.get();
    }
    try {
      while (true) {
        try {
          return tried(work);
        } catch (RefusedException e) {
          if (!isWorthAnother(e)) {
            throw e;
          }
        }
      }
    } finally {
      device.queue().leave(place);
    }
  }

  /** Whether the calling thread does the work of an attempt, in which nothing waits for room. */
  static boolean isUnderWay() {
    return UNDER_WAY.get();
  }

  private static <T> T tried(Supplier<T> work) {
    UNDER_WAY.set(true);
    try {
      return work.get();
    } finally {
      UNDER_WAY.remove();
    }
  }

  /** Waits until there is room for the work and for those that came before; false if in vain. */
  private boolean isWorthAnother(RefusedException refused) {
    start = start == 0 ? System.nanoTime() : start;
    refusals++;
    if (wasLast || refusals > MOST_TRIES || device.isTooSmallFor(refused.neededBytes())) {
      return false;
    }
    long needed = needed(refused);
    device.queue().join(place, needed);
    if (wait.await(() -> device.isFree(device.queue().neededUpTo(place)), start)) {
      return true;
    }
    // The tasks that came before may have what they need and still be at work.
    wasLast = true;
    return wait.isAny() && device.isFree(needed);
  }

  /** What has to be free: more than now, where what a refusal says turns out to be too little. */
  private long needed(RefusedException refused) {
    if (refusals <= TRIES_AT_ONCE || !device.isFree(refused.neededBytes())) {
      return refused.neededBytes();
    }
    long more = Math.min(device.mostBytes(), device.freeBytes() + 1);
    wasLast = more == device.mostBytes();
    return more;
  }
}
