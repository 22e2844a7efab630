package io.mooring.conf;

import static io.mooring.conf.ConfEntry.entry;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All settings of Mooring, read and checked once. Immutable, and so thread-safe. */
public final class MooringConf {
  /** The prefix of every key. */
  public static final String PREFIX = "spark.mooring.";

  public static final ConfEntry<Boolean> ENABLED =
      entry("enabled", ConfType.FLAG)
          .doc("Whether the plugin does anything. When false Spark's own reader reads every file.")
          .defaultsTo("true");

  public static final ConfEntry<Duration> UI_REPORT_INTERVAL =
      entry("ui.reportInterval", ConfType.TIME)
          .doc(
              "How often an executor tells the driver of its pool and of files that fell back, for"
                  + " the Mooring tab, the event log and the advice at the application's end: only"
                  + " when something has changed, and also when its last running task has ended. `0`"
                  + " turns reports and the tab off. A bare number is seconds.")
          .defaultsTo("10s");

  public static final ConfEntry<Boolean> LEAK_DETECTION =
      entry("memory.leakDetection", ConfType.FLAG)
          .doc(
              "Remember where each host buffer was allocated, report buffers that are never"
                  + " closed, and detect double frees. Slow: for finding a leak.")
          .defaultsTo("false");

  /** Settings that belong together. */
  record Group(String title, List<ConfEntry<?>> entries) {}

  /** All groups, in the order of the documentation. */
  static final List<Group> GROUPS =
      List.of(
          group(
              "On and off",
              ENABLED,
              SqlEntries.ENABLED,
              SqlEntries.PARQUET_ENABLED,
              SqlEntries.DELTA_ENABLED,
              SqlEntries.ICEBERG_ENABLED,
              SqlEntries.WITHOUT_GPU),
          group(
              "Pinned pool",
              PoolEntries.SIZE,
              PoolEntries.MAX_SIZE,
              PoolEntries.FALLBACK_MAX_SIZE,
              PoolEntries.WAIT_TIMEOUT,
              PoolEntries.INIT_THREADS),
          group("Cache of column chunks", CacheEntries.SIZE),
          group(
              "Stages and joins",
              SqlEntries.STAGES,
              SqlEntries.REPLICATED_JOINS,
              SqlEntries.REPLICATED_JOINS_MAX_BUILD_SIZE,
              SqlEntries.SINGLE_TASK_AGGREGATES),
          group(
              "Scans: tasks and pruning",
              SqlEntries.PUSHDOWN,
              SqlEntries.MERGE_SUBQUERIES,
              ScanEntries.PARTITION_SIZE,
              ScanEntries.LOCALITY,
              ScanEntries.SKIP_PAGES,
              ScanEntries.VERIFY_PAGES,
              ScanEntries.CAST_TYPES),
          group(
              "Scans: reading and decoding",
              ScanEntries.IO_THREADS,
              ScanEntries.STORE_REQUESTS,
              ScanEntries.MERGE_DISTANCE,
              ScanEntries.COALESCE_SIZE,
              ScanEntries.BATCH_SIZE,
              ScanEntries.DECODE_SIZE),
          group(
              "GPU",
              GpuEntries.DEVICES,
              GpuEntries.MEMORY_FRACTION,
              GpuEntries.CONCURRENT_TASKS,
              GpuEntries.DECODE_TIMEOUT,
              GpuEntries.WAITING,
              GpuEntries.KERNEL_COPY_THRESHOLD,
              GpuEntries.DEFAULT_POOL_SIZE),
          group("Reports and diagnosis", UI_REPORT_INTERVAL, LEAK_DETECTION));

  /** Every setting, in the order of the documentation. */
  public static final List<ConfEntry<?>> ENTRIES =
      GROUPS.stream().<ConfEntry<?>>flatMap(group -> group.entries().stream()).toList();

  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Object> values = new HashMap<>();

  private static Group group(String title, ConfEntry<?>... entries) {
    return new Group(title, List.of(entries));
  }

  private MooringConf(Map<String, String> conf) {
    for (ConfEntry<?> entry : ENTRIES) {
      values.put(entry.key(), entry.read(conf));
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

  /** The user's settings as text, from which {@link #from} makes the same settings. */
  public Map<String, String> toMap() {
    return Map.copyOf(texts);
  }

  /** Whether the user has set it. */
  boolean isSet(ConfEntry<?> entry) {
    return texts.containsKey(entry.key());
  }

  /** The value of a setting. */
  @SuppressWarnings("unchecked") // put there by the entry of that key
  public <T> T get(ConfEntry<T> entry) {
    return (T) Objects.requireNonNull(values.get(entry.key()), entry.key());
  }
}
