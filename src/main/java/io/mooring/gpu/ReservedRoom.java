package io.mooring.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongToIntFunction;

/** Room on the device that is reserved bit by bit. Thread-safe. */
final class ReservedRoom implements SharedObjects.TemporaryRoom {
  private final LongToIntFunction keep;
  private final IntConsumer giveUp;
  private final List<Integer> permits = new ArrayList<>();

  /**
   * @param keep keeps bytes on the device and returns the permits to give up; 0 when there is no
   *     room
   */
  ReservedRoom(LongToIntFunction keep, IntConsumer giveUp) {
    this.keep = keep;
    this.giveUp = giveUp;
  }

  @Override
  public synchronized void take(long bytes) {
    int more = keep.applyAsInt(bytes);
    if (more == 0) {
      throw new RefusedException("the device has no room for objects that would stay there");
    }
    permits.add(more);
  }

  @Override
  public ReservedRoom temporary() {
    return new ReservedRoom(keep, giveUp);
  }

  @Override
  public synchronized void close() {
    permits.forEach(giveUp::accept);
    permits.clear();
  }
}
