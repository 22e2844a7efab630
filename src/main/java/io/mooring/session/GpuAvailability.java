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
  // By executor, why it uses no GPU; empty when it uses one.
  private static final Map<String, String> PROBLEMS = new ConcurrentHashMap<>();

  /** Forgets what executors of an earlier application reported. */
  public static void clearReports() {
    PROBLEMS.clear();
  }

  /**
   * Keeps the report of an executor.
   *
   * @param problem why it uses no GPU; empty when it uses one
   */
  public static void report(String executor, String problem) {
    PROBLEMS.put(executor, problem);
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

  private static String localProblem() {
    return GpuRuntime.current()
        .map(gpu -> gpu.usable() ? "" : gpu.reason())
        .orElse("the plugin was not started");
  }

  /** Whether executors have reported, and each of them uses a GPU. */
  static boolean allReportedUse() {
    return !PROBLEMS.isEmpty() && PROBLEMS.values().stream().allMatch(String::isEmpty);
  }

  /**
   * Why none of the executors that have reported uses a GPU; empty while none has reported, or one
   * uses a GPU.
   */
  static String reportedProblem() {
    return PROBLEMS.isEmpty() || PROBLEMS.containsValue("")
        ? ""
        : "no executor uses a GPU: " + PROBLEMS.values().iterator().next();
  }
}
