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
 * @param heldBytes what the task that waits holds itself, beside the room of the work
 * @param check called now and then; throws to end the wait
 */
public record RoomWait(Duration most, long heldBytes, Runnable check) {
  // The host hashes 2 to 5 million rows a second on one thread.
  private static final long HOST_BYTES_PER_SECOND = 200_000_000;
  private static final long LEAST_SECONDS = 1;
  private static final long MOST_SECONDS = 30;
  // What the task holds may be what others wait for, who hold what it waits for.
  private static final long MOST_SECONDS_WITH_TABLES = 3;
  private static final long POLL_MILLIS = 50;

  /** For a table of about so many bytes, made beside other tables that the task holds. */
  public static RoomWait ofTable(long bytes, long heldBytes, Runnable check) {
    long seconds = Math.max(LEAST_SECONDS, bytes / HOST_BYTES_PER_SECOND);
    long most = heldBytes == 0 ? MOST_SECONDS : MOST_SECONDS_WITH_TABLES;
    return new RoomWait(Duration.ofSeconds(Math.min(most, seconds)), heldBytes, check);
  }

  /** For work that one thread of the host would need long for. */
  public static RoomWait longest(Runnable check) {
    return new RoomWait(Duration.ofSeconds(MOST_SECONDS), 0, check);
  }

  /**
   * Waits until there is room.
   *
   * @param start when the first wait for this work began, by {@link System#nanoTime}
   * @return false when there is none in time
   * @throws CancellationException when the thread is interrupted, which it stays
   */
  boolean await(BooleanSupplier isFree, long start) {
    while (System.nanoTime() - start < most.toNanos()) {
      check.run();
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        check.run();
        throw new CancellationException("the wait for room on the device was interrupted");
      }
      if (isFree.getAsBoolean()) {
        return true;
      }
    }
    return false;
  }
}
