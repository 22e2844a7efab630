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

  ReservedRoom(DeviceRoom device) {
    this(device, new AtomicLong());
  }

  private ReservedRoom(DeviceRoom device, AtomicLong ofAttempt) {
    this.device = device;
    this.ofAttempt = ofAttempt;
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
    return new ReservedRoom(device, ofAttempt);
  }

  @Override
  public <T> T attempt(RoomWait wait, Function<SharedObjects.Room, T> work) {
    long start = 0;
    while (true) {
      try (ReservedRoom own = new ReservedRoom(device)) {
        T result = work.apply(own);
        take(own);
        return result;
      } catch (RefusedException e) {
        start = start == 0 ? System.nanoTime() : start;
        if (device.isTooSmallFor(e.neededBytes())
            || !wait.await(e.neededBytes(), device::freeBytes, start)) {
          throw e;
        }
      }
    }
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
