package io.mooring.conf;

import java.util.OptionalLong;

/**
 * Division of an executor's free memory between the pinned pool and its pageable fallback. Sizes in
 * bytes. Immutable.
 *
 * @param bytes the initial size of the pool
 * @param maxBytes the size up to which the pool may grow
 * @param fallbackBytes most pageable memory beside the pool
 * @param warning why this is less than the settings ask for, and what to set; else empty
 */
public record PoolSizing(long bytes, long maxBytes, long fallbackBytes, String warning) {
  /** A divisor: when memory is short, the fallback still gets 1/FALLBACK_SHARE of the room. */
  private static final int FALLBACK_SHARE = 4;

  /** The least with which a scan can go on when there is no pool. */
  private static final long LEAST_FALLBACK = 64L << 20;

  private static final long PAGE = 2L << 20;

  /** The sizes that the settings ask for, as far as the executor's memory has room. */
  public static PoolSizing of(MooringConf conf, ExecutorMemory memory) {
    OptionalLong set = conf.get(PoolEntries.SIZE);
    long size = set.orElseGet(() -> auto(memory));
    long most = size == 0 ? 0 : Math.max(size, conf.get(PoolEntries.MAX_SIZE).orElse(0));
    long fallback = conf.get(PoolEntries.FALLBACK_MAX_SIZE);
    // How many executors share the limit is a guess: a size that the user has set ignores them.
    long room = memory.room(set.isPresent() ? 1 : memory.executors());
    long pageable = Math.min(fallback, Math.max(room - most, least(room)));
    long forPool = pages(Math.max(0, room - pageable));
    boolean cut =
        forPool < most || (pageable < fallback && conf.isSet(PoolEntries.FALLBACK_MAX_SIZE));
    PoolSizing requested =
        new PoolSizing(Math.min(size, forPool), Math.min(most, forPool), pageable, "");
    return cut ? requested.with(warning(requested, most, fallback, memory)) : requested;
  }

  private static long auto(ExecutorMemory memory) {
    return pages(AutoDefaults.poolSize(memory.limit(), memory.executors()));
  }

  private static long least(long room) {
    return Math.max(room / FALLBACK_SHARE, LEAST_FALLBACK);
  }

  private PoolSizing with(String text) {
    return new PoolSizing(bytes, maxBytes, fallbackBytes, text);
  }

  private static String warning(
      PoolSizing requested, long most, long fallback, ExecutorMemory memory) {
    return String.format(
        "The pinned pool gets %s of %s MiB and its pageable fallback %s of %s: the process may use"
            + " %s MiB, of which the heap takes %s, Spark's off-heap memory and Python %s, the JVM"
            + " and CUDA about %s. %s",
        mib(requested.maxBytes()),
        mib(most),
        mib(requested.fallbackBytes()),
        mib(fallback),
        mib(memory.limit()),
        mib(memory.heap()),
        mib(memory.spark()),
        mib(memory.own()),
        remedy(requested, most, fallback, memory));
  }

  /** The settings to paste: of a container that holds all, or of a pool that fits. */
  private static String remedy(
      PoolSizing requested, long most, long fallback, ExecutorMemory memory) {
    return memory.isContainer()
        ? String.format(
            "For all of it set spark.executor.memoryOverhead=%sm and %s=%sm",
            mib(most + fallback + memory.own()), PoolEntries.SIZE.key(), mib(most))
        : String.format(
            "Set %s=%sm, or less of the heap", PoolEntries.SIZE.key(), mib(requested.maxBytes()));
  }

  private static long pages(long bytes) {
    return bytes / PAGE * PAGE;
  }

  /** Rounded up. */
  private static long mib(long bytes) {
    return (bytes + (1L << 20) - 1) >> 20;
  }
}
