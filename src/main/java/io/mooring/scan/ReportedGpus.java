package io.mooring.scan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What executors of this driver's application have told of their GPUs. Thread-safe. */
public final class ReportedGpus {
  private static final Map<String, String> PROBLEMS = new ConcurrentHashMap<>();

  private ReportedGpus() {}

  /** Forgets what executors of an earlier application told. */
  public static void clear() {
    PROBLEMS.clear();
  }

  /**
   * Keeps what an executor tells.
   *
   * @param problem why it uses no GPU; empty when it uses one
   */
  public static void add(String executor, String problem) {
    PROBLEMS.put(executor, problem);
  }

  /** Whether executors have told, and each of them uses a GPU. */
  static boolean allUse() {
    return !PROBLEMS.isEmpty() && PROBLEMS.values().stream().allMatch(String::isEmpty);
  }

  /**
   * Why none of the executors that have told uses a GPU; empty while none has told, or one does.
   */
  static String problem() {
    return PROBLEMS.isEmpty() || PROBLEMS.containsValue("")
        ? ""
        : "no executor uses a GPU: " + PROBLEMS.values().iterator().next();
  }
}
