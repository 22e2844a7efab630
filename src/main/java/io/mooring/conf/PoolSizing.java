package io.mooring.conf;

import java.util.OptionalLong;

/**
 * How large the pool of an executor is. Sizes in bytes. Immutable.
 *
 * @param bytes what the pool should get
 * @param warning why this is less than was asked for, and what to set; empty when it is not
 */
public record PoolSizing(long bytes, String warning) {
  /** Past this more pinned memory has not been seen to help one GPU. */
  private static final long MOST_AUTO = 16L << 30;

  private static final int AUTO_SHARE = 4;
  // All pools of a host together stay below one part in so many of its memory.
  private static final int HOST_SHARE = 2;
  // A process that pins nearly everything starves Spark and the page cache.
  private static final double MOST_SHARE = 0.8;
  private static final long PAGE = 2L << 20;

  /**
   * The size for a setting on a machine.
   *
   * @param wanted the setting; empty for auto
   * @param memory what this process may use
   * @param executors how many processes like this one may share that memory
   * @param heap what the Java heap may take of it
   * @param lockable the memlock limit; Long.MAX_VALUE for none
   */
  public static PoolSizing of(
      OptionalLong wanted, long memory, int executors, long heap, long lockable) {
    long share = memory / Math.max(AUTO_SHARE, HOST_SHARE * (long) executors);
    long auto = pages(Math.min(share, MOST_AUTO));
    long size = wanted.orElse(auto);
    // Beside a large heap too, auto is modest: its share is not cut further.
    long room = wanted.isEmpty() ? auto : Math.max(0, (long) (memory * MOST_SHARE) - heap);
    if (size <= Math.min(room, lockable)) {
      return new PoolSizing(size, "");
    }
    String reason =
        lockable < room
            ? "the memlock limit (ulimit -l) is " + text(lockable)
            : "this process may use " + text(memory) + ", its heap " + text(heap) + " of that";
    long given = pages(Math.min(room, lockable));
    String asked = (wanted.isEmpty() ? "auto, here " : "") + text(size);
    return new PoolSizing(given, warning(asked, given, reason));
  }

  private static String warning(String asked, long given, String reason) {
    return String.format(
        "%s is %s, but %s: the pool gets %s. Set a smaller size, or raise the limit",
        PoolEntries.SIZE.key(), asked, reason, text(given));
  }

  private static long pages(long bytes) {
    return bytes / PAGE * PAGE;
  }

  private static String text(long bytes) {
    return bytes % (1L << 20) == 0 ? (bytes >> 20) + " MiB" : bytes + " bytes";
  }
}
