package io.mooring.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Shares of a scan's stages in its time. I/O threads and tasks work side by side, so the share of a
 * stage is relative to the time of the threads that run it. The rest is the least time in which
 * neither group was busy: in a query, the time of Spark's own work.
 *
 * @param shares of each stage in order, 0 to 1
 * @param fromStore whether the files are in an object store
 */
public record StageShares(Map<String, Double> shares, boolean fromStore) {

  /** The stages, by the metric that sums their time over threads. */
  private static final Map<String, String> IO = new LinkedHashMap<>();

  private static final Map<String, String> TASK = new LinkedHashMap<>();

  private static final String READ = "read";

  /** The name of the bottleneck {@code read} where the files are in an object store. */
  private static final String STORE = "the store";

  static {
    IO.put(READ, "readNanos");
    IO.put("verify", "verifyNanos");
    IO.put("wait for the pool", "hostMemoryWaitNanos");
    IO.put("upload", "uploadWaitNanos");
    TASK.put("wait for the GPU", "deviceMemoryWaitNanos");
    TASK.put("wait for a turn", "turnWaitNanos");
    TASK.put("decode", "decodeNanos");
    TASK.put("download", "downloadNanos");
  }

  /** The share of all processors that the process used, for anything. */
  static final String PROCESSORS = "processors";

  /** The time outside the scan: planning, and the operators above it. */
  public static final String REST = "the rest";

  /**
   * The shares of one or several runs; empty when they say nothing of stages, or when one task
   * computed an aggregate with threads of its own, whose number they do not tell.
   *
   * @param metrics summed over the runs, with the threads and {@code processors} of one run
   * @param seconds of the runs together
   * @param tasks concurrent ones
   */
  public static Optional<StageShares> of(Map<String, Long> metrics, double seconds, int tasks) {
    long ioThreads = metrics.getOrDefault("ioThreads", 0L);
    boolean byOneTask = metrics.getOrDefault("finalGroups", 0L) > 0;
    boolean decoded = metrics.getOrDefault("decodeNanos", 0L) > 0;
    if (ioThreads == 0 || seconds <= 0 || !decoded || byOneTask) {
      return Optional.empty();
    }
    Map<String, Double> shares = new LinkedHashMap<>();
    // Object stores have threads of their own, one for each request.
    boolean fromStore = metrics.getOrDefault("requests", 0L) > 0;
    long storeThreads = fromStore ? metrics.getOrDefault("storeThreads", 0L) : 0;
    double io = add(shares, IO, metrics, Math.max(ioThreads, storeThreads) * seconds);
    double task = add(shares, TASK, metrics, tasks * seconds);
    addProcessors(shares, metrics, seconds);
    shares.put(REST, Math.max(0, 1 - Math.max(io, task)));
    return Optional.of(new StageShares(shares, fromStore));
  }

  private static double add(
      Map<String, Double> shares,
      Map<String, String> stages,
      Map<String, Long> metrics,
      double threadSeconds) {
    double busy = 0;
    for (Map.Entry<String, String> stage : stages.entrySet()) {
      double share = metrics.getOrDefault(stage.getValue(), 0L) / 1e9 / threadSeconds;
      shares.put(stage.getKey(), share);
      busy += share;
    }
    return busy;
  }

  /** Reports of earlier versions do not tell. */
  private static void addProcessors(
      Map<String, Double> shares, Map<String, Long> metrics, double seconds) {
    long processors = metrics.getOrDefault("processors", 0L);
    if (processors > 0) {
      long nanos = metrics.getOrDefault("processorNanos", 0L);
      shares.put(PROCESSORS, nanos / 1e9 / processors / seconds);
    }
  }

  /** The stage that the others wait for: the one with the largest share. */
  public String bottleneck() {
    String stage =
        shares.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return fromStore && stage.equals(READ) ? STORE : stage;
  }
}
