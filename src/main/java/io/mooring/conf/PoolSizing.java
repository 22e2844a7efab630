package io.mooring.conf;

import java.util.OptionalLong;

/**
 * How the memory of an executor that nothing else takes is shared out to the pinned pool and to the
 * pageable memory beside it. Sizes in bytes. Immutable.
 *
 * @param bytes what the pool starts with
 * @param maxBytes what it may grow to
 * @param fallbackBytes most pageable memory beside it
 * @param warning why this is less than was asked for, and what to set; empty when it is not
 */
public record PoolSizing(long bytes, long maxBytes, long fallbackBytes, String warning) {
  private static final int AUTO_SHARE = 4;
  // All pools of a host together stay below one part in so many of its memory.
  private static final int HOST_SHARE = 2;

  /** Past this more pinned memory has not been seen to help one GPU. */
  private static final long MOST_AUTO = 16L << 30;

  /** What of too little room is pageable memory: without any, a peak would wait for the pool. */
  private static final int FALLBACK_SHARE = 4;

  /** With less a scan cannot go on at all when there is no pool. */
  private static final long LEAST_FALLBACK = 64L << 20;

  private static final long PAGE = 2L << 20;

  /** The rule of {@code auto}, for the documentation of the setting. */
  static final String AUTO_RULE =
      String.format(
          "`auto` takes 1/%d of the memory that the process may use (its container's limit where"
              + " there is one, else nine tenths of the machine's memory), %dg at most. Where Spark"
              + " gives each executor a GPU and the process sees several, all their pools together"
              + " take 1/%d of that memory at most.",
          AUTO_SHARE, MOST_AUTO >> 30, HOST_SHARE);

  /** The shares of an executor, as its settings ask for them and its memory has room. */
  public static PoolSizing of(MooringConf conf, ExecutorMemory memory) {
    OptionalLong set = conf.get(PoolEntries.SIZE);
    long size = set.orElseGet(() -> auto(memory));
    long most = size == 0 ? 0 : Math.max(size, conf.get(PoolEntries.MAX_SIZE).orElse(0));
    long fallback = conf.get(PoolEntries.FALLBACK_MAX_SIZE);
    // What other executors do is guessed, so a size that was set is cut by this one's needs only.
    long room = memory.room(set.isPresent() ? 1 : memory.executors());
    long pageable = Math.min(fallback, Math.max(room - most, least(room)));
    long left = pages(Math.max(0, room - pageable));
    boolean tells =
        left < most || (pageable < fallback && conf.isSet(PoolEntries.FALLBACK_MAX_SIZE));
    PoolSizing given = new PoolSizing(Math.min(size, left), Math.min(most, left), pageable, "");
    return tells ? given.with(warning(given, most, fallback, memory)) : given;
  }

  private static long auto(ExecutorMemory memory) {
    long share = memory.limit() / Math.max(AUTO_SHARE, HOST_SHARE * (long) memory.executors());
    return pages(Math.min(share, MOST_AUTO));
  }

  private static long least(long room) {
    return Math.max(room / FALLBACK_SHARE, LEAST_FALLBACK);
  }

  private PoolSizing with(String text) {
    return new PoolSizing(bytes, maxBytes, fallbackBytes, text);
  }

  private static String warning(PoolSizing given, long most, long fallback, ExecutorMemory memory) {
    return String.format(
        "The pinned pool gets %s of %s MiB and its pageable fallback %s of %s: the process may use"
            + " %s MiB, of which the heap takes %s, Spark's off-heap memory and Python %s, the JVM"
            + " and CUDA about %s. %s",
        mib(given.maxBytes()),
        mib(most),
        mib(given.fallbackBytes()),
        mib(fallback),
        mib(memory.limit()),
        mib(memory.heap()),
        mib(memory.spark()),
        mib(memory.own()),
        remedy(given, most, fallback, memory));
  }

  /** The settings to paste: those of a container that holds all, or what there is room for. */
  private static String remedy(PoolSizing given, long most, long fallback, ExecutorMemory memory) {
    return memory.isContainer()
        ? String.format(
            "For all of it set spark.executor.memoryOverhead=%sm and %s=%sm",
            mib(most + fallback + memory.own()), PoolEntries.SIZE.key(), mib(most))
        : String.format(
            "Set %s=%sm, or less of the heap", PoolEntries.SIZE.key(), mib(given.maxBytes()));
  }

  private static long pages(long bytes) {
    return bytes / PAGE * PAGE;
  }

  /** Rounded up. */
  private static long mib(long bytes) {
    return (bytes + (1L << 20) - 1) >> 20;
  }
}
