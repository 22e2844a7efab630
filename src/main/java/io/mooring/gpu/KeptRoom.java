package io.mooring.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongToIntFunction;

/** Room on the device that was kept bit by bit. Thread-safe. */
final class KeptRoom implements SharedObjects.TemporaryRoom {
  private final LongToIntFunction keep;
  private final IntConsumer giveUp;
  private final List<Integer> kept = new ArrayList<>();

  /**
   * @param keep keeps bytes on the device and returns the permits to give up; 0 when there is no
   *     room
   */
  KeptRoom(LongToIntFunction keep, IntConsumer giveUp) {
    this.keep = keep;
    this.giveUp = giveUp;
  }

  @Override
  public synchronized void take(long bytes) {
    int permits = keep.applyAsInt(bytes);
    if (permits == 0) {
      throw new RefusedException("the device has no room for what would stay there");
    }
    kept.add(permits);
  }

  @Override
  public KeptRoom temporary() {
    return new KeptRoom(keep, giveUp);
  }

  @Override
  public synchronized void close() {
    kept.forEach(giveUp::accept);
    kept.clear();
  }
}
