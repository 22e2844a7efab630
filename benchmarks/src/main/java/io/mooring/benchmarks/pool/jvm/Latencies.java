package io.mooring.benchmarks.pool.jvm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Latencies of one thread's operations, in nanoseconds: one in 16, up to 65,536 of them. */
final class Latencies {

  private static final int EACH = 16;

  private final long[] nanos = new long[1 << 16];
  private int count;
  private int turn;

  /** Whether to time the next operation: reading the clock costs as much as some do. */
  boolean isDue() {
    return turn++ % EACH == 0 && count < nanos.length;
  }

  void add(long took) {
    nanos[count++] = took;
  }

  /** Adds the percentiles of all threads together. */
  static void describe(List<Latencies> all, Map<String, Object> answer) {
    long[] sorted =
        all.stream()
            .flatMapToLong(one -> Arrays.stream(one.nanos, 0, one.count))
            .sorted()
            .toArray();
    answer.put("samples", sorted.length);
    if (sorted.length > 0) {
      answer.put("p50_ns", at(sorted, 0.5));
      answer.put("p90_ns", at(sorted, 0.9));
      answer.put("p99_ns", at(sorted, 0.99));
      answer.put("p999_ns", at(sorted, 0.999));
      answer.put("max_ns", sorted[sorted.length - 1]);
    }
  }

  private static long at(long[] sorted, double share) {
    return sorted[(int) (share * (sorted.length - 1))];
  }
}
