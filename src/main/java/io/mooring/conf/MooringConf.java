package io.mooring.conf;

import static io.mooring.conf.ConfType.autoOr;
import static io.mooring.conf.ConfType.autoZeroOrSize;
import static io.mooring.conf.ConfType.numberIn;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/** All settings of Mooring, read and checked once. Immutable, and so thread-safe. */
public final class MooringConf {
  /** What every key begins with. */
  public static final String PREFIX = "spark.mooring.";

  public static final ConfEntry<Boolean> ENABLED =
      entry("enabled", ConfType.FLAG)
          .doc("Whether the plugin does anything. When false Spark's own reader reads every file.")
          .defaultsTo("true");

  public static final ConfEntry<Boolean> SQL_ENABLED =
      entry("sql.enabled", ConfType.FLAG)
          .doc(
              "Whether queries of the session go through Mooring. When false Spark's own reader"
                  + " reads every relation.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<String> SQL_PUSHDOWN =
      entry("sql.pushdown", ConfType.oneOf("auto", "always", "never"))
          .doc(
              "Whether scans evaluate filters and partial aggregates. `auto` leaves them to Spark"
                  + " where one process does everything and has no usable GPU. Sums of"
                  + " floating-point columns are added up in another order than Spark's, which has"
                  + " no fixed one either: their last digits may differ; `never` avoids that.")
          .atRuntime()
          .defaultsTo("auto");

  public static final ConfEntry<Boolean> SQL_MERGE_SUBQUERIES =
      entry("sql.mergeSubqueries", ConfType.FLAG)
          .doc(
              "Whether scalar sub-queries that aggregate one table under different conditions, as"
                  + " those of TPC-DS q9, read it once. Only where scans evaluate the aggregates.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<Boolean> SQL_PARQUET_ENABLED =
      entry("sql.parquet.enabled", ConfType.FLAG)
          .doc(
              "Whether relations of Spark's format `parquet` go through Mooring. When false only"
                  + " those of format `mooring` do.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<Boolean> SQL_WITHOUT_GPU =
      entry("sql.withoutGpu", ConfType.FLAG)
          .doc(
              "Whether relations of format `parquet` go through Mooring also in local mode on a"
                  + " machine with no usable GPU, where Spark's own reader then reads every file of"
                  + " the scan. For tests and to look at plans.")
          .atRuntime()
          .defaultsTo("false");

  /** Bytes; empty for auto. */
  public static final ConfEntry<OptionalLong> POOL_SIZE =
      entry("pinnedPool.size", autoZeroOrSize())
          .doc(
              "Pinned host memory of each executor. `auto` takes a quarter of the memory that the"
                  + " process may use (the cgroup's limit where there is one, else the machine's"
                  + " memory), 16g at most, and no more than the memlock limit (`ulimit -l`) unless"
                  + " the process is root's. Where Spark gives each executor a GPU and the process"
                  + " sees several, all their pools together take half of that memory at most. `0`"
                  + " turns the pool off. Count it in"
                  + " `spark.executor.memoryOverhead`.")
          .defaultsTo("auto");

  /** Bytes; empty for a pool that does not grow. */
  public static final ConfEntry<OptionalLong> POOL_MAX_SIZE =
      entry("pinnedPool.maxSize", autoOr(ConfType.SIZE))
          .doc(
              "How far the pool may grow when it is exhausted; idle memory beyond"
                  + " `spark.mooring.pinnedPool.size` is given back. `auto`, or anything below that"
                  + " size, is that size: the pool does not grow.")
          .defaultsTo("auto");

  public static final ConfEntry<Long> FALLBACK_MAX_SIZE =
      entry("pinnedPool.fallback.maxSize", ConfType.SIZE)
          .doc(
              "Most pageable memory that buffers may take when the pool cannot serve them. Beyond"
                  + " it they wait.")
          .defaultsTo("4g");

  public static final ConfEntry<Duration> WAIT_TIMEOUT =
      entry("pinnedPool.waitTimeout", ConfType.TIME)
          .doc(
              "How long a buffer waits for pageable memory at its limit before that part of the"
                  + " scan is left to Spark's reader. A bare number is seconds.")
          .defaultsTo("60s");

  public static final ConfEntry<OptionalLong> INIT_THREADS =
      entry("pinnedPool.initThreads", autoOr(numberIn(1, 256)))
          .doc(
              "Threads that touch the pool's memory at start. `auto` takes one for each core, 8 at"
                  + " most: more only contend.")
          .defaultsTo("auto");

  public static final ConfEntry<GpuSelection> GPU_DEVICES =
      entry("gpu.devices", GpuSelection.TYPE)
          .doc(
              "Which GPUs an executor uses to which Spark has assigned none: `all` that its process"
                  + " sees, the `first`, or some, as `0,2`. Each task runs on the one with the"
                  + " fewest tasks. GPUs that Spark has assigned"
                  + " (`spark.executor.resource.gpu.amount`) are always those used.")
          .defaultsTo("first");

  public static final ConfEntry<Duration> DECODE_TIMEOUT =
      entry("gpu.decodeTimeout", ConfType.TIME)
          .doc(
              "How long one decode may take before the GPU is given up: damaged pages without"
                  + " checksums can keep it busy for ever. `0` waits as long as it takes. A bare"
                  + " number is seconds.")
          .defaultsTo("5m");

  public static final ConfEntry<Double> GPU_MEMORY_FRACTION =
      entry("gpu.memory.fraction", ConfType.FRACTION)
          .doc("Share of the free memory of each of its GPUs that scans of an executor may take.")
          .defaultsTo("0.8");

  public static final ConfEntry<OptionalLong> IO_THREADS =
      entry("scan.ioThreads", autoOr(numberIn(1, 1024)))
          .doc(
              "Threads that read files into host buffers. `auto` takes one for each core, at least"
                  + " 4 and at most 32. Several GPUs share them out, at least one each.")
          .defaultsTo("auto");

  public static final ConfEntry<Long> PARTITION_SIZE =
      entry("scan.partitionSize", ConfType.SIZE)
          .doc(
              "Most file bytes that one task reads. Tables are spread evenly over the cores; beyond"
                  + " this size each core gets several tasks. Where"
                  + " `spark.sql.files.maxPartitionBytes` is set, or there is no GPU, tasks are"
                  + " planned as Spark plans them.")
          .atRuntime()
          .defaultsTo("1g");

  public static final ConfEntry<Long> BATCH_SIZE =
      entry("scan.batchSize", ConfType.SIZE)
          .doc(
              "Decoded bytes aimed at in what is read, uploaded and decoded as one, at most"
                  + " `spark.mooring.scan.decodeSize`. A row group is never read in parts.")
          .defaultsTo("1g");

  public static final ConfEntry<Long> DECODE_SIZE =
      entry("scan.decodeSize", ConfType.SIZE)
          .doc(
              "Decoded bytes that are made at a time. A row group of flat columns, without deltas"
                  + " and without Zstd pages of version 2, that is expected to give more is read and"
                  + " uploaded as one, but decoded in chunks of about this size, which need less of"
                  + " the GPU's memory. `0` sets no bound. Where device memory does not suffice for"
                  + " such a row group, it is decoded in small chunks whatever this says.")
          .defaultsTo("0");

  public static final ConfEntry<Long> COALESCE_SIZE =
      entry("scan.coalesceSize", ConfType.SIZE)
          .doc(
              "Small files of a task are read, uploaded and decoded together up to this many decoded"
                  + " bytes; 0 decodes each file by itself.")
          .defaultsTo("512m");

  public static final ConfEntry<Long> MERGE_DISTANCE =
      entry("scan.mergeDistance", ConfType.SIZE)
          .doc("Column chunks at most this far apart in a file are read as one.")
          .defaultsTo("64k");

  public static final ConfEntry<Boolean> SKIP_PAGES =
      entry("scan.skipPages", ConfType.FLAG)
          .doc(
              "Whether pages are left unread in which no row passes the filter, in files with a page"
                  + " index. Not done either where `parquet.filter.columnindex.enabled` is false,"
                  + " which also keeps page indexes from ruling out row groups.")
          .defaultsTo("true");

  public static final ConfEntry<String> VERIFY_PAGES =
      entry("scan.verifyPages", ConfType.oneOf("checksums", "structure", "none"))
          .doc(
              "What of pages is verified before the GPU decodes them, while they are read: damaged"
                  + " pages can keep a GPU busy for ever, or cost the executor its GPU."
                  + " `checksums` looks at headers and, in pages that have a checksum, at every"
                  + " byte; `structure` at headers only. What does not fit is left to Spark's"
                  + " reader.")
          .defaultsTo("checksums");

  public static final ConfEntry<Boolean> CAST_TYPES =
      entry("scan.castTypes", ConfType.FLAG)
          .doc(
              "Whether columns that a file has narrower than the table, unsigned, or marked as JSON,"
                  + " BSON or an enumeration are decoded on the GPU, and cast there. Files with such"
                  + " columns are otherwise read by Spark's reader.")
          .defaultsTo("true");

  public static final ConfEntry<Long> KERNEL_COPY_THRESHOLD =
      entry("libcudf.kernelPinnedCopyThreshold", ConfType.SIZE)
          .doc(
              "libcudf's copies up to this size go through a kernel and not through the copy"
                  + " engine, where they would queue behind uploads. Only while the pool is on.")
          .defaultsTo("1m");

  /** Bytes; empty for libcudf's own default. */
  public static final ConfEntry<OptionalLong> DEFAULT_POOL_SIZE =
      entry("libcudf.defaultPool.size", autoZeroOrSize())
          .doc(
              "Size of libcudf's own pinned pool, used only while Mooring's is off. `auto` is"
                  + " libcudf's default; `0` turns it off.")
          .defaultsTo("auto");

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
              "Remember where each host buffer was allocated, report those that are never closed,"
                  + " and tell double frees. Slow: for finding a leak.")
          .defaultsTo("false");

  /** Every setting, in the order of the documentation. */
  public static final List<ConfEntry<?>> ENTRIES =
      List.of(
          ENABLED,
          SQL_ENABLED,
          SQL_PUSHDOWN,
          SQL_MERGE_SUBQUERIES,
          SQL_PARQUET_ENABLED,
          SQL_WITHOUT_GPU,
          POOL_SIZE,
          POOL_MAX_SIZE,
          FALLBACK_MAX_SIZE,
          WAIT_TIMEOUT,
          INIT_THREADS,
          GPU_DEVICES,
          DECODE_TIMEOUT,
          GPU_MEMORY_FRACTION,
          IO_THREADS,
          PARTITION_SIZE,
          BATCH_SIZE,
          DECODE_SIZE,
          COALESCE_SIZE,
          MERGE_DISTANCE,
          SKIP_PAGES,
          VERIFY_PAGES,
          CAST_TYPES,
          KERNEL_COPY_THRESHOLD,
          DEFAULT_POOL_SIZE,
          UI_REPORT_INTERVAL,
          LEAK_DETECTION);

  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Object> values = new HashMap<>();

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

  /** What the user has set, as text: {@link #from} makes the same settings of it. */
  public Map<String, String> toMap() {
    return Map.copyOf(texts);
  }

  /** The value of a setting. */
  @SuppressWarnings("unchecked") // put there by the entry of that key
  public <T> T get(ConfEntry<T> entry) {
    return (T) Objects.requireNonNull(values.get(entry.key()), entry.key());
  }

  private static <T> ConfEntry.Builder<T> entry(String name, ConfType<T> type) {
    return ConfEntry.of(PREFIX + name, type);
  }
}
