package io.mooring.benchmarks.pool.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Each thread allocates a buffer and frees it at once. Counted is what all of them do in a period
 * of time; a quarter of its length goes before it and does not count.
 */
final class Pairs {

  private static final long ENOUGH = 64;
  private static final int MOST_PERIODS = 10;

  /** Counters of two threads lie on cache lines of their own. */
  private static final int STRIDE = 16;

  private enum Phase {
    WARM_UP,
    MEASURE,
    STOP
  }

  private final JavaArm arm;
  private final int threads;
  private final long seed;
  private final AtomicLongArray counts;
  private final List<Latencies> latencies = new ArrayList<>();
  private volatile Phase phase = Phase.WARM_UP;

  Pairs(JavaArm arm, int threads, long seed) {
    this.arm = arm;
    this.threads = threads;
    this.seed = seed;
    this.counts = new AtomicLongArray(threads * STRIDE);
    for (int i = 0; i < threads; i++) {
      latencies.add(new Latencies());
    }
  }

  /**
   * Operations, seconds and latencies. The period is extended while there are too few operations,
   * to about ten times its length at most.
   */
  Map<String, Object> measure(double seconds) throws InterruptedException, ExecutionException {
    ThreadTeam crew = ThreadTeam.start(threads, (index, all) -> work(index));
    sleep(seconds / 4);
    phase = Phase.MEASURE;
    long before = sum();
    long start = System.nanoTime();
    long operations;
    double took;
    do {
      sleep(seconds);
      operations = sum() - before;
      took = (System.nanoTime() - start) / 1e9;
    } while (operations < ENOUGH && took < MOST_PERIODS * seconds && !crew.hasFailed());
    phase = Phase.STOP;
    crew.join();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("operations", operations);
    answer.put("seconds", took);
    Latencies.describe(latencies, answer);
    return answer;
  }

  private void work(int index) throws Exception {
    Sizes sizes = new Sizes(seed + index);
    Latencies times = latencies.get(index);
    long count = 0;
    for (Phase now = phase; now != Phase.STOP; now = phase) {
      int bytes = sizes.next();
      if (now == Phase.MEASURE && times.isDue()) {
        long before = System.nanoTime();
        arm.pair(bytes);
        times.add(System.nanoTime() - before);
      } else {
        arm.pair(bytes);
      }
      counts.lazySet(index * STRIDE, ++count);
    }
  }

  private long sum() {
    long sum = 0;
    for (int i = 0; i < threads; i++) {
      sum += counts.get(i * STRIDE);
    }
    return sum;
  }

  private static void sleep(double seconds) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
  }

  /** Latencies of one thread's operations, in nanoseconds: one in 16, up to 65,536 of them. */
  private static final class Latencies {

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
}
