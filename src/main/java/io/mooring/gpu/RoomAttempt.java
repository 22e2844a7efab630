package io.mooring.gpu;

import io.mooring.gpu.RoomQueue.Place;
import java.util.function.Supplier;

/**
 * Runs work of a task that takes room on the device. Without room, the work gives back all that it
 * took, waits until others have freed enough, and runs again. It holds nothing while it waits, so
 * that tasks do not deadlock.
 */
final class RoomAttempt {
  // A refusal may name fewer bytes than the work needs.
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
   * @throws RefusedException when others have not freed enough in time; without a wait inside the
   *     work of another attempt, which may hold room
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

  /**
   * Waits until there is room for this work and all before it in the queue; false if another try is
   * useless.
   */
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
    // Tasks earlier in the queue may hold their room already: they stay there while they work.
    wasLast = true;
    return wait.isAny() && device.isFree(needed);
  }

  /**
   * The bytes that must be free for the next try. If refusals keep naming fewer bytes than are
   * free, it asks for more than are free.
   */
  private long needed(RefusedException refused) {
    if (refusals <= TRIES_AT_ONCE || !device.isFree(refused.neededBytes())) {
      return refused.neededBytes();
    }
    long more = Math.min(device.mostBytes(), device.freeBytes() + 1);
    wasLast = more == device.mostBytes();
    return more;
  }
}
