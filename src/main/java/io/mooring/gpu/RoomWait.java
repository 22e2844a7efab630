package io.mooring.gpu;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long work waits for room on a device that others hold: not longer than the host would need
 * for it.
 *
 * @param most the longest time
 * @param check called now and then; throws to end the wait
 */
public record RoomWait(Duration most, Runnable check) {
  // The host hashes 2 to 5 million rows a second on one thread.
  private static final long HOST_BYTES_PER_SECOND = 200_000_000;
  private static final long LEAST_SECONDS = 1;
  private static final long MOST_SECONDS = 10;
  private static final long POLL_MILLIS = 50;

  /** For a table of about so many bytes. */
  public static RoomWait ofTable(long bytes, Runnable check) {
    long seconds = Math.max(LEAST_SECONDS, bytes / HOST_BYTES_PER_SECOND);
    return new RoomWait(Duration.ofSeconds(Math.min(MOST_SECONDS, seconds)), check);
  }

  /** For work that one thread of the host would need long for. */
  public static RoomWait longest(Runnable check) {
    return new RoomWait(Duration.ofSeconds(MOST_SECONDS), check);
  }

  /**
   * Waits until so many bytes are free.
   *
   * @param start when the first wait for this work began, by {@link System#nanoTime}
   * @return false when they are not in time, or the thread was interrupted
   */
  boolean await(long bytes, LongSupplier free, long start) {
    while (System.nanoTime() - start < most.toNanos()) {
      check.run();
      if (free.getAsLong() >= bytes) {
        return true;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return false;
  }
}
