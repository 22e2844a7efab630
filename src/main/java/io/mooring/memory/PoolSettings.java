package io.mooring.memory;

import java.time.Duration;
import java.util.List;

/**
 * How the pool of a process is made.
 *
 * @param sizeBytes what it starts with; 0 for no pool
 * @param maxBytes what it may grow to; at least {@code sizeBytes}
 * @param fallbackMaxBytes most pageable bytes beside it
 * @param waitTimeout how long a caller waits for the pool or for pageable memory
 * @param threads that touch memory at start
 * @param device whose driver pins; -1 leaves the memory pageable
 * @param numaNodes where pages are taken, from each as many; empty for anywhere
 * @param leakDetection remember where each buffer was allocated, and report those that are lost
 */
public record PoolSettings(
    long sizeBytes,
    long maxBytes,
    long fallbackMaxBytes,
    Duration waitTimeout,
    int threads,
    int device,
    List<Integer> numaNodes,
    boolean leakDetection) {
  private static final int MOST_USEFUL_THREADS = 12;

  /** Threads that touch memory fastest on this machine; more of them only contend. */
  public static int touchThreads() {
    return Math.min(MOST_USEFUL_THREADS, Runtime.getRuntime().availableProcessors());
  }
}
