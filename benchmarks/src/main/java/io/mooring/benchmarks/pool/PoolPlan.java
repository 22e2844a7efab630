package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.ByteSize;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plan of all runs, made before the first one.
 *
 * @param sizes pool sizes whose start-up is timed
 * @param threads numbers of threads, ascending
 * @param rounds measured rounds
 * @param warmup rounds before them
 * @param seconds length of each timed period
 * @param mixedSeconds longest time of the mixed run; 0: none
 * @param pool each pool while it works
 * @param seed of the drawn sizes
 * @param gpu whether there is one; without, only pageable memory is measured
 */
record PoolPlan(
    List<ByteSize> sizes,
    List<Integer> threads,
    int rounds,
    int warmup,
    double seconds,
    double mixedSeconds,
    ByteSize pool,
    long seed,
    boolean gpu) {

  /** Noted before the first run. */
  static final String NO_GPU = "No usable GPU: only pageable memory and malloc are measured";

  private static final int CHECKED_THREADS = 16;

  /** Allocations and frees of a mixed run, if time does not end it first. */
  static final long MIXED_OPERATIONS = 4_000_000;

  /** Largest block of a mixed run, in bytes; a small pool has smaller ones. */
  long largestMixedBlock() {
    return Math.min(256L << 20, pool.bytes() / 16);
  }

  /** Bytes of each copy. */
  static final long COPY_BYTES = 256L << 20;

  /** The size that is held against the bounds. */
  ByteSize largestSize() {
    return Collections.max(sizes, Comparator.comparingLong(ByteSize::bytes));
  }

  /** The number of threads that is held against the bounds: 16, or the most there are. */
  int checkedThreads() {
    return threads.contains(CHECKED_THREADS) ? CHECKED_THREADS : Collections.max(threads);
  }

  /** All settings for the report, defaults included. */
  Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("sizes", sizes.stream().map(ByteSize::text).toList());
    all.put("threads", threads);
    all.put("rounds", rounds);
    all.put("warmup", warmup);
    all.put("seconds", seconds);
    all.put("mixedSeconds", mixedSeconds);
    all.put("mixedOperations", MIXED_OPERATIONS);
    all.put("largestMixedBlock", largestMixedBlock());
    all.put("copyBytes", COPY_BYTES);
    all.put("pool", pool.text());
    all.put("seed", seed);
    return all;
  }
}
