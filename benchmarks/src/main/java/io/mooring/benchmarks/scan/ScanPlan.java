package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.data.Tables;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.query.Suite;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The plan of all runs, made before the first one.
 *
 * @param arms configurations to compare
 * @param tasks numbers of concurrent tasks
 * @param processes how often the JVMs of all arms are started anew; 1 when exclusive
 * @param rounds measured runs of each query, arm, task count and process
 * @param warmup runs before them
 * @param copies how often a run starts its query at the same time
 * @param suite whose queries they are, where they are not the user's own
 * @param queries what runs
 * @param tables files under the queries
 * @param cold true when each run reads files that no run before it has left in a cache
 * @param storage settings by which all arms reach the files; empty for files of this machine
 * @param conf the user's settings for every arm
 * @param heap Java heap of each measured JVM
 * @param exclusive true for one JVM at a time
 */
public record ScanPlan(
    List<Arm> arms,
    List<Integer> tasks,
    int processes,
    int rounds,
    int warmup,
    int copies,
    Suite suite,
    List<ScanQuery> queries,
    Tables tables,
    boolean cold,
    Map<String, String> storage,
    Map<String, String> conf,
    ByteSize heap,
    boolean exclusive) {

  private static final double GPU_SHARE = 0.9;
  private static final String GPU_FRACTION = "spark.mooring.gpu.memory.fraction";
  private static final String GPU_DEVICES = "spark.mooring.gpu.devices";
  private static final long MEMORY_PER_ARM = 4L << 30;
  private static final long LEAST_HEAP = 1L << 30;
  private static final long MOST_HEAP = 8L << 30;

  /** True when this many arms would not fit into memory side by side. */
  static boolean isMemoryShort(int arms, long memoryBytes) {
    return memoryBytes < arms * MEMORY_PER_ARM;
  }

  /** A heap that leaves most of the memory to pinned buffers and the page cache. */
  static ByteSize defaultHeap(int liveArms, long memoryBytes) {
    long share = memoryBytes / (4L * liveArms);
    return ByteSize.ofBytes(Math.max(LEAST_HEAP, Math.min(MOST_HEAP, share)));
  }

  /** Runs in all, warm-up runs included. */
  int totalRuns() {
    int perQuery = exclusive ? rounds * (warmup + 1) : processes * (rounds + warmup);
    return arms.size() * tasks.size() * queries.size() * perQuery;
  }

  /**
   * Everything that a worker of this arm is started with; the user's settings win, an arm's own
   * first.
   */
  Map<String, String> confOf(Arm arm) {
    Map<String, String> all = new TreeMap<>(WorkerProcess.COMMON_CONF);
    long sharers = exclusive ? 1 : Math.max(1, arms.stream().filter(Arm::usesGpu).count());
    double share = GPU_SHARE / sharers;
    if (arm.usesPlugin()) {
      all.put("spark.plugins", "io.mooring.spark.MooringPlugin");
      // One GPU, which the peer uses, so that arms compare; others are asked for.
      all.put(GPU_DEVICES, "first");
      all.put(GPU_FRACTION, String.format(Locale.ROOT, "%.3f", share));
    } else if (arm.usesGpu() && sharers > 1) {
      all.putAll(PeerSettings.share(share));
    }
    all.putAll(arm.conf());
    all.putAll(tables.conf());
    all.putAll(storage);
    if (arm.kind() == Arm.Kind.PEER && !storage.isEmpty()) {
      all.putAll(PeerSettings.ofStores(arm.name()));
    }
    all.putAll(conf);
    all.putAll(arm.own());
    return all;
  }

  /** All settings for the report, defaults included. */
  Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("suite", suite.text());
    all.put("data", tables.folders());
    all.put("files", tables.paths().size());
    all.put("bytes", tables.bytes());
    all.put("tables", tables.described());
    if (!tables.views().isEmpty()) {
      all.put("views", tables.views());
    }
    all.put("pageCache", cold ? "cold" : "warm");
    all.put("tasks", tasks);
    all.put("processes", exclusive ? rounds : processes);
    all.put("rounds", rounds);
    all.put("warmup", warmup);
    all.put("copies", copies);
    all.put("heap", heap.text());
    all.put("jvms", exclusive ? "one at a time" : "one per arm, side by side");
    Map<String, String> recorded = new LinkedHashMap<>();
    queries.forEach(query -> recorded.put(query.name(), query.recorded()));
    all.put("queries", recorded);
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    arms.forEach(arm -> settings.put(arm.name(), confOf(arm)));
    all.put("arms", settings);
    return all;
  }
}
