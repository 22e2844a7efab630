package io.mooring.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Room on the device that is reserved bit by bit. Thread-safe. */
final class ReservedRoom implements Room.Temporary {
  private final DeviceRoom device;

  /** The permits of this room and of those that belong to the same work. */
  private final AtomicLong ofWork;

  private final List<Integer> permits = new ArrayList<>();

  ReservedRoom(DeviceRoom device) {
    this(device, new AtomicLong());
  }

  private ReservedRoom(DeviceRoom device, AtomicLong ofWork) {
    this.device = device;
    this.ofWork = ofWork;
  }

  @Override
  public synchronized void take(long bytes) {
    int more = device.keep(bytes, ofWork.get());
    permits.add(more);
    ofWork.addAndGet(more);
  }

  @Override
  public ReservedRoom temporary() {
    return new ReservedRoom(device, ofWork);
  }

  @Override
  public <T> T attempt(RoomWait wait, Function<Room, T> work) {
    return new RoomAttempt(device, wait)
        .done(
            () -> {
              try (ReservedRoom own = new ReservedRoom(device)) {
                T result = work.apply(own);
                take(own);
                return result;
              }
            });
  }

  /** The bytes that are taken. */
  synchronized long bytes() {
    return DeviceRoom.bytes(sum());
  }

  /** Takes over what another room has. */
  private synchronized void take(ReservedRoom other) {
    permits.addAll(other.permits);
    ofWork.addAndGet(other.sum());
    other.permits.clear();
  }

  @Override
  public synchronized void close() {
    permits.forEach(device::giveUp);
    ofWork.addAndGet(-sum());
    permits.clear();
  }

  private long sum() {
    return permits.stream().mapToLong(it -> it).sum();
  }
}
