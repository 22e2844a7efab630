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
                  + PoolSizing.AUTO_RULE
                  + " This and a size that is set are less where the limit has no room for it beside"
                  + " the heap, Spark's off-heap memory, the JVM itself and"
                  + " `spark.mooring.pinnedPool.fallback.maxSize`; one WARN then has the settings that"
                  + " make room. `0` turns the pool off. Count it in"
                  + " `spark.executor.memoryOverhead`.")
          .defaultsTo("auto");

  /** Bytes; empty for a pool that does not grow. */
  public static final ConfEntry<OptionalLong> MAX_SIZE =
      entry("pinnedPool.maxSize", autoOr(ConfType.POOL_SIZE))
          .doc(
              "How far the pool may grow when it is exhausted; idle memory beyond"
                  + " `spark.mooring.pinnedPool.size` is given back. `auto`, or anything below that"
                  + " size, is that size: the pool does not grow.")
          .defaultsTo("auto");

  public static final ConfEntry<Long> FALLBACK_MAX_SIZE =
      entry("pinnedPool.fallback.maxSize", ConfType.POOL_SIZE)
          .doc(
              "Most pageable memory that buffers may take when the pool cannot serve them. Beyond"
                  + " it they wait, with `0` for the pool alone. What was idle for a while is given"
                  + " back. Less where the executor's memory has no room for it.")
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
              "Threads that touch the pool's memory at start. `auto` takes one for each core, 12 at"
                  + " most: more only contend.")
          .defaultsTo("auto");

  private PoolEntries() {}
}
