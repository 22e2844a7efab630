package io.mooring.gpu;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * How long work waits for room on a device that others hold: not longer than the host would need
 * for it.
 *
 * @param most the longest time
 * @param isUseless whether a longer wait is useless: another task has made the object, or it was
 *     refused for good
 * @param check called now and then; throws to end the wait
 */
public record RoomWait(Duration most, BooleanSupplier isUseless, Runnable check) {
  // The host hashes 2 to 5 million rows a second on one thread.
  private static final long HOST_BYTES_PER_SECOND = 200_000_000;
  private static final long LEAST_SECONDS = 1;
  private static final long MOST_SECONDS = 30;
  private static final long POLL_MILLIS = 20;

  /** For tables of about so many bytes. */
  public static RoomWait ofTables(long bytes, BooleanSupplier isUseless, Runnable check) {
    long seconds = Math.max(LEAST_SECONDS, bytes / HOST_BYTES_PER_SECOND);
    return new RoomWait(Duration.ofSeconds(Math.min(MOST_SECONDS, seconds)), isUseless, check);
  }

  /** For work that one thread of the host would need long for. */
  public static RoomWait longest(Runnable check) {
    return new RoomWait(Duration.ofSeconds(MOST_SECONDS), () -> false, check);
  }

  /** No wait at all. */
  public static RoomWait none() {
    return new RoomWait(Duration.ZERO, () -> false, () -> {});
  }

  /** Whether there is any wait at all. */
  boolean isAny() {
    return !most.isZero();
  }

  /**
   * Waits until there is room, or none is needed.
   *
   * @param start when the first wait for this work began, by {@link System#nanoTime}
   * @return false when there is none in time
   * @throws CancellationException when the thread is interrupted, which it stays
   */
  boolean await(BooleanSupplier isFree, long start) {
    while (System.nanoTime() - start < most.toNanos()) {
      check.run();
      if (isUseless.getAsBoolean() || isFree.getAsBoolean()) {
        return true;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        check.run();
        throw new CancellationException("the wait for room on the device was interrupted");
      }
    }
    return false;
  }
}
