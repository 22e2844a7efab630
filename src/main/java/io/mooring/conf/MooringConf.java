package io.mooring.conf;

import io.mooring.conf.ConfEntry.Applies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All settings of Mooring, read and checked once. Immutable. */
public final class MooringConf {
  /** What every key begins with. */
  public static final String PREFIX = "spark.mooring.";

  private static final String A_SIZE = "a size such as 8g";
  private static final String A_FLAG = "true or false";

  public static final ConfEntry<Boolean> ENABLED =
      startup(
          "enabled",
          "Whether the plugin does anything. When false every file is read by Spark's own reader.",
          "true",
          A_FLAG,
          Parsers::flag);

  public static final ConfEntry<OptionalLong> POOL_SIZE =
      startup(
          "pinnedPool.size",
          "Pinned host memory of each executor. `auto` takes a quarter of the memory that the process"
              + " may use (the cgroup's limit, else the machine's memory), 16g at most, and no more"
              + " than the memlock limit. `0` turns the pool off. Count it in"
              + " `spark.executor.memoryOverhead`.",
          "auto",
          "auto, 0 or " + A_SIZE,
          Parsers.autoOr(Parsers::bytes));

  public static final ConfEntry<OptionalLong> POOL_MAX_SIZE =
      startup(
          "pinnedPool.maxSize",
          "How far the pool may grow when it is exhausted; idle memory beyond"
              + " `spark.mooring.pinnedPool.size` is given back. `auto` means that it does not grow.",
          "auto",
          "auto or " + A_SIZE,
          Parsers.autoOr(Parsers::bytes));

  public static final ConfEntry<Long> FALLBACK_MAX_SIZE =
      startup(
          "pinnedPool.fallback.maxSize",
          "Most pageable memory that buffers may take when the pool cannot serve them. Beyond it they"
              + " wait.",
          "4g",
          A_SIZE,
          Parsers::bytes);

  public static final ConfEntry<Duration> WAIT_TIMEOUT =
      startup(
          "pinnedPool.waitTimeout",
          "How long a buffer waits for pageable memory at its limit before that part of the scan is"
              + " left to Spark's reader.",
          "60s",
          "a time such as 60s",
          Parsers::time);

  public static final ConfEntry<OptionalLong> INIT_THREADS =
      startup(
          "pinnedPool.initThreads",
          "Threads that touch the pool's memory at start. `auto` takes one for each core, 12 at most:"
              + " more only contend.",
          "auto",
          "auto or a number from 1 to 256",
          Parsers.autoOr(Parsers.numberIn(1, 256)));

  public static final ConfEntry<Double> GPU_MEMORY_FRACTION =
      startup(
          "gpu.memory.fraction",
          "Share of the GPU's free memory that scans of this executor may take.",
          "0.8",
          "a number above 0 and up to 1",
          Parsers::fraction);

  public static final ConfEntry<OptionalLong> IO_THREADS =
      startup(
          "scan.ioThreads",
          "Threads that read files into host buffers. `auto` takes one for each core, at least 4 and"
              + " at most 32.",
          "auto",
          "auto or a number from 1 to 1024",
          Parsers.autoOr(Parsers.numberIn(1, 1024)));

  public static final ConfEntry<Long> BATCH_SIZE =
      startup(
          "scan.batchSize",
          "Decoded bytes aimed at in what is read, uploaded and decoded as one. A row group is never"
              + " split.",
          "256m",
          "a size such as 512m",
          Parsers::bytes);

  public static final ConfEntry<Long> MERGE_DISTANCE =
      startup(
          "scan.mergeDistance",
          "Column chunks at most this far apart in a file are read as one.",
          "64k",
          "a size such as 64k",
          Parsers::bytes);

  public static final ConfEntry<Long> KERNEL_COPY_THRESHOLD =
      startup(
          "libcudf.kernelPinnedCopyThreshold",
          "libcudf's copies up to this size go through a kernel and not through the copy engine, where"
              + " they would queue behind uploads. Only while the pool is on.",
          "1m",
          "a size such as 1m",
          Parsers::bytes);

  public static final ConfEntry<OptionalLong> DEFAULT_POOL_SIZE =
      startup(
          "libcudf.defaultPool.size",
          "Size of libcudf's own pinned pool, used only while `spark.mooring.pinnedPool.size` is 0."
              + " `auto` is libcudf's default; `0` turns it off.",
          "auto",
          "auto, 0 or " + A_SIZE,
          Parsers.autoOr(Parsers::bytes));

  public static final ConfEntry<Boolean> LEAK_DETECTION =
      startup(
          "memory.leakDetection",
          "Remember where each host buffer was allocated, report those that are never closed, and tell"
              + " double frees. Slow: for finding a leak.",
          "false",
          A_FLAG,
          Parsers::flag);

  /** Every setting, in the order of the documentation. */
  public static final List<ConfEntry<?>> ENTRIES =
      List.of(
          ENABLED,
          POOL_SIZE,
          POOL_MAX_SIZE,
          FALLBACK_MAX_SIZE,
          WAIT_TIMEOUT,
          INIT_THREADS,
          GPU_MEMORY_FRACTION,
          IO_THREADS,
          BATCH_SIZE,
          MERGE_DISTANCE,
          KERNEL_COPY_THRESHOLD,
          DEFAULT_POOL_SIZE,
          LEAK_DETECTION);

  private final Map<String, String> texts = new TreeMap<>();
  private final Map<ConfEntry<?>, Object> values = new java.util.HashMap<>();

  private MooringConf(Map<String, String> conf) {
    for (ConfEntry<?> entry : ENTRIES) {
      values.put(entry, entry.read(conf));
      if (conf.containsKey(entry.key())) {
        texts.put(entry.key(), conf.get(entry.key()));
      }
    }
  }

  /**
   * Reads every setting out of {@code conf}, which may hold other keys too.
   *
   * @throws IllegalArgumentException for the first bad value: key, value and what is allowed
   */
  public static MooringConf from(Map<String, String> conf) {
    return new MooringConf(conf);
  }

  /** What the user has set, as text: {@link #from} makes the same settings of it. */
  public Map<String, String> toMap() {
    return Map.copyOf(texts);
  }

  /** The value of a setting. */
  @SuppressWarnings("unchecked") // written by an entry of the same type
  public <T> T get(ConfEntry<T> entry) {
    return (T) java.util.Objects.requireNonNull(values.get(entry), entry.key());
  }

  private static <T> ConfEntry<T> startup(
      String name,
      String doc,
      String defaultText,
      String allowed,
      Function<String, @Nullable T> parser) {
    return new ConfEntry<>(PREFIX + name, doc, defaultText, allowed, Applies.STARTUP, parser);
  }
}
