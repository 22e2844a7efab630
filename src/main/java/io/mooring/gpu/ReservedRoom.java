package io.mooring.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Room on the device that is reserved bit by bit. Thread-safe. */
final class ReservedRoom implements SharedObjects.TemporaryRoom {
  private final DeviceRoom device;

  /** The permits of an attempt, in all its rooms. */
  private final AtomicLong ofAttempt;

  private final List<Integer> permits = new ArrayList<>();

  /** Whether work in this room is part of an attempt, which waits as a whole. */
  private final boolean isInAttempt;

  ReservedRoom(DeviceRoom device) {
    this(device, new AtomicLong(), false);
  }

  private ReservedRoom(DeviceRoom device, AtomicLong ofAttempt, boolean isInAttempt) {
    this.device = device;
    this.ofAttempt = ofAttempt;
    this.isInAttempt = isInAttempt;
  }

  @Override
  public synchronized void take(long bytes) {
    int more = device.keep(bytes);
    if (more == 0) {
      throw new RefusedException(
          "the device has no room for objects that would stay there",
          DeviceRoom.needed(ofAttempt.get(), bytes));
    }
    permits.add(more);
    ofAttempt.addAndGet(more);
  }

  @Override
  public ReservedRoom temporary() {
    return new ReservedRoom(device, ofAttempt, isInAttempt);
  }

  @Override
  public <T> T attempt(RoomWait wait, Function<SharedObjects.Room, T> work) {
    if (isInAttempt) {
      return work.apply(this);
    }
    long start = 0;
    boolean isAgainAtOnce = false;
    while (true) {
      try (ReservedRoom own = new ReservedRoom(device, new AtomicLong(), true)) {
        T result = work.apply(own);
        take(own);
        return result;
      } catch (RefusedException e) {
        if (device.isTooSmallFor(e.neededBytes())
            || device.isTooSmallFor(e.neededBytes() + wait.heldBytes())) {
          throw e;
        }
        start = start == 0 ? System.nanoTime() : start;
        if (device.isFree(e.neededBytes())) {
          // What lacked was held by the work itself, as tables that it shares, or is free by now.
          if (isAgainAtOnce) {
            throw e;
          }
          isAgainAtOnce = true;
        } else if (!wait.await(() -> device.isFree(e.neededBytes()), start)) {
          throw e;
        }
      }
    }
  }

  /** The bytes that are taken. */
  synchronized long bytes() {
    return DeviceRoom.bytes(sum());
  }

  /** Takes over what another room has. */
  private synchronized void take(ReservedRoom other) {
    permits.addAll(other.permits);
    ofAttempt.addAndGet(other.sum());
    other.permits.clear();
  }

  @Override
  public synchronized void close() {
    permits.forEach(device::giveUp);
    ofAttempt.addAndGet(-sum());
    permits.clear();
  }

  private long sum() {
    return permits.stream().mapToLong(it -> it).sum();
  }
}
