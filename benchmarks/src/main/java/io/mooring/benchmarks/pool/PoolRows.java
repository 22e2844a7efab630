package io.mooring.benchmarks.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.report.Run;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns an answer into a row.
 *
 * @param query what was measured
 * @param arm the allocator
 * @param threads that worked together
 * @param process from 1: which start of the allocator's process
 * @param round from 1
 * @param warmUp true when the row counts in no figure
 * @param pinned whether the memory was pinned
 */
record PoolRows(
    String query, String arm, int threads, int process, int round, boolean warmUp, boolean pinned) {

  static final String OWN = "own-thread";
  static final String RING = "own-thread batches";
  static final String CROSS = "cross-thread batches";
  static final String READY = "ready";
  static final String FIRST = "first buffer";
  static final String TRACE = "trace";
  static final String MIXED = "mixed run";

  /** The name of what is the first that a process does. */
  static String fresh(String what) {
    return "fresh " + what;
  }

  /** The name of what a process does that has worked before. */
  static String aged(String what) {
    return "aged " + what;
  }

  /** The name of what is measured from one language. */
  static String named(String what, boolean java) {
    return (java ? "Java " : "native ") + what;
  }

  /** A row with a number of operations; every other number of the answer becomes a metric. */
  Run counted(JsonNode answer) {
    Map<String, Long> metrics = new TreeMap<>();
    answer
        .fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isIntegralNumber()) {
                metrics.put(field.getKey(), field.getValue().longValue());
              }
            });
    long operations = metrics.remove("operations");
    double seconds = answer.get("seconds").doubleValue();
    if (operations == 0) {
      throw new ProcessException.Unavailable(
          "%s, %s, %d threads: nothing done in %.1f s".formatted(query, arm, threads, seconds));
    }
    return row(seconds, 0, operations, metrics);
  }

  /** A row with a time, and the bytes that it was for. */
  Run timed(double seconds, long bytes) {
    return row(seconds, bytes, 0, Map.of());
  }

  private Run row(double seconds, long bytes, long operations, Map<String, Long> metrics) {
    return new Run(
        query,
        arm,
        threads,
        process,
        round,
        warmUp,
        pinned ? "gpu" : "cpu",
        seconds,
        bytes,
        operations,
        Instant.now().toString(),
        metrics);
  }
}
