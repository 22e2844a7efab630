package io.mooring.session;

import io.mooring.gpu.GpuRuntime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.SparkSession;

/**
 * The driver's knowledge of the executors' GPUs when it plans: each executor reports whether it
 * uses one. Executors are expected to have a GPU until it is known that there is none. Thread-safe.
 */
public record GpuAvailability(SparkSession session) {
  private static final Map<String, Report> REPORTS = new ConcurrentHashMap<>();

  /** What an executor said: why it uses no GPU, empty when it uses one, and the GPU's memory. */
  private record Report(String problem, long deviceBytes) {
    boolean usesGpu() {
      return problem.isEmpty();
    }
  }

  /** Forgets what executors of an earlier application reported. */
  public static void clearReports() {
    REPORTS.clear();
  }

  /**
   * Keeps the report of an executor.
   *
   * @param problem why it uses no GPU; empty when it uses one
   * @param deviceBytes device memory that its scans may use
   */
  public static void report(String executor, String problem, long deviceBytes) {
    REPORTS.put(executor, new Report(problem, deviceBytes));
  }

  /**
   * Drops the report of an executor that is gone, but never the only report: an application that
   * has released all executors will get similar ones.
   */
  public static void forget(String executor) {
    if (REPORTS.size() > 1) {
      REPORTS.remove(executor);
    }
  }

  /**
   * Whether a GPU is expected. False where this process does everything and has no usable GPU, and
   * where every executor that has reported so far uses none.
   */
  public boolean expected() {
    return problem().isEmpty();
  }

  /** Why no GPU is expected; empty when one is. */
  public String problem() {
    return session.sparkContext().isLocal() ? localProblem() : reportedProblem();
  }

  /** Whether some executor has reported, and every one that has uses a GPU. */
  public boolean certain() {
    return session.sparkContext().isLocal() ? expected() : allReportedUse();
  }

  /**
   * The least device memory that scans may use on any GPU, in bytes; 0 where no executor has
   * reported, or one has no GPU.
   */
  public long leastDeviceBytes() {
    return session.sparkContext().isLocal()
        ? GpuRuntime.current().map(GpuRuntime::deviceBytes).orElse(0L)
        : leastReportedBytes();
  }

  /** The {@link #leastDeviceBytes} where executors are processes of their own. */
  static long leastReportedBytes() {
    return REPORTS.values().stream().mapToLong(Report::deviceBytes).min().orElse(0);
  }

  private static String localProblem() {
    return GpuRuntime.current()
        .map(gpu -> gpu.usable() ? "" : gpu.reason())
        .orElse("the plugin was not started");
  }

  /** Whether an executor has reported and is not gone. */
  static boolean hasReported(String executor) {
    return REPORTS.containsKey(executor);
  }

  /** Whether executors have reported, and each of them uses a GPU. */
  static boolean allReportedUse() {
    return !REPORTS.isEmpty() && REPORTS.values().stream().allMatch(Report::usesGpu);
  }

  /**
   * Why none of the executors that have reported uses a GPU; empty while none has reported, or one
   * uses a GPU.
   */
  static String reportedProblem() {
    return REPORTS.isEmpty() || REPORTS.values().stream().anyMatch(Report::usesGpu)
        ? ""
        : "no executor uses a GPU: " + REPORTS.values().iterator().next().problem();
  }
}
