package io.mooring.scan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which executors of this driver's application have told that they use a GPU. Thread-safe. */
public final class ReportedGpus {
  private static final Map<String, Boolean> EXECUTORS = new ConcurrentHashMap<>();

  private ReportedGpus() {}

  /** Forgets what executors of an earlier application told. */
  public static void clear() {
    EXECUTORS.clear();
  }

  public static void add(String executor, boolean usesGpu) {
    EXECUTORS.put(executor, usesGpu);
  }

  /** Whether executors have told, and none of them that it uses one. */
  static boolean noneOfSome() {
    return !EXECUTORS.isEmpty() && !EXECUTORS.containsValue(true);
  }
}
