package io.mooring.conf;

import java.util.OptionalLong;

/**
 * How large the pool of an executor is. Sizes in bytes.
 *
 * @param bytes what the pool should get
 * @param warning why this is less than was asked for, or empty
 */
public record PoolSizing(long bytes, String warning) {
  /** Past this more pinned memory has not been seen to help one GPU. */
  private static final long MOST_AUTO = 16L << 30;

  private static final int AUTO_SHARE = 4;
  // A process that pins nearly everything starves Spark and the page cache.
  private static final double MOST_SHARE = 0.8;
  private static final long PAGE = 2L << 20;

  /**
   * @param wanted the setting; empty for auto
   * @param memory what this process may use
   * @param lockable the memlock limit; Long.MAX_VALUE for none
   */
  public static PoolSizing of(OptionalLong wanted, long memory, long lockable) {
    if (wanted.isEmpty()) {
      long auto = Math.min(Math.min(memory / AUTO_SHARE, MOST_AUTO), lockable);
      return new PoolSizing(auto / PAGE * PAGE, "");
    }
    long most = Math.min((long) (memory * MOST_SHARE), lockable) / PAGE * PAGE;
    long size = wanted.getAsLong();
    if (size <= most) {
      return new PoolSizing(size, "");
    }
    String reason =
        most < lockable
            ? "this process may use " + memory + " bytes of memory"
            : "the memlock limit (ulimit -l) is " + lockable + " bytes";
    return new PoolSizing(
        most,
        String.format(
            "%s is %d bytes, but %s: the pool gets %d bytes. Set a smaller size, or raise the limit",
            MooringConf.POOL_SIZE.key(), size, reason, most));
  }
}
