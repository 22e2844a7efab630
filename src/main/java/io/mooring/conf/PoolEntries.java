package io.mooring.conf;

import static io.mooring.conf.ConfEntry.entry;
import static io.mooring.conf.ConfType.autoOr;
import static io.mooring.conf.ConfType.numberIn;

import java.time.Duration;
import java.util.OptionalLong;

/** Settings of the pinned host pool and of its pageable fallback. */
public final class PoolEntries {
  /** Bytes; empty for auto. */
  public static final ConfEntry<OptionalLong> SIZE =
      entry("pinnedPool.size", autoOr(ConfType.POOL_SIZE))
          .doc(
              "Pinned host memory of each executor. "
                  + autoRule()
                  + " A pool of any size is made smaller if the limit has no room for it beside"
                  + " the heap, Spark's off-heap memory, the JVM itself and"
                  + " `spark.mooring.pinnedPool.fallback.maxSize`; one WARN then names the"
                  + " settings that make room. `0` turns the pool off. Count the pool in"
                  + " `spark.executor.memoryOverhead`.")
          .defaultsTo("auto");

  /** Bytes; empty for a pool that does not grow. */
  public static final ConfEntry<OptionalLong> MAX_SIZE =
      entry("pinnedPool.maxSize", autoOr(ConfType.POOL_SIZE))
          .doc(
              "How far the pool may grow when it is exhausted; idle memory beyond"
                  + " `spark.mooring.pinnedPool.size` is given back. With `auto`, or a value"
                  + " below that size, the pool does not grow.")
          .defaultsTo("auto");

  public static final ConfEntry<Long> FALLBACK_MAX_SIZE =
      entry("pinnedPool.fallback.maxSize", ConfType.POOL_SIZE)
          .doc(
              "Most pageable memory that buffers may take when the pool cannot serve them."
                  + " Beyond it they wait; with `0` they wait for the pool alone. Memory that was"
                  + " idle for a while is given back. The limit is lower if the executor's memory"
                  + " has no room for it.")
          .defaultsTo("4g");

  public static final ConfEntry<Duration> WAIT_TIMEOUT =
      entry("pinnedPool.waitTimeout", ConfType.TIME)
          .doc(
              "How long a buffer waits for the pool or for pageable memory before that part of the"
                  + " scan is left to Spark's reader. A bare number is seconds.")
          .defaultsTo("60s");

  public static final ConfEntry<OptionalLong> INIT_THREADS =
      entry("pinnedPool.initThreads", autoOr(numberIn(1, 256)))
          .doc(
              "Threads that touch the pool's memory at start. `auto` takes one for each"
                  + " core, at most "
                  + AutoDefaults.MAX_INIT_THREADS
                  + ": more threads would only contend.")
          .defaultsTo("auto");

  private static String autoRule() {
    return String.format(
        "`auto` takes 1/%d of the memory that the process may use (its container's limit if"
            + " there is one, else four fifths of the machine's memory), %dg at most. If Spark"
            + " gives each executor a GPU and the process sees several, all their pools together"
            + " take 1/%d of that memory at most.",
        AutoDefaults.POOL_SHARE, AutoDefaults.MAX_POOL >> 30, AutoDefaults.HOST_SHARE);
  }

  private PoolEntries() {}
}
