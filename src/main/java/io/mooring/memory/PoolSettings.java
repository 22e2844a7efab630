package io.mooring.memory;

import java.time.Duration;
import java.util.List;

/**
 * How the pool of a process is made. Immutable.
 *
 * @param sizeBytes what it starts with; 0 for no pool
 * @param maxBytes what it may grow to; at least {@code sizeBytes}
 * @param fallbackMaxBytes most pageable bytes beside it
 * @param waitTimeout how long a caller waits for the pool or for pageable memory
 * @param threads that touch memory at start
 * @param device whose CUDA driver pins; -1 leaves the memory pageable
 * @param numaNodes over which pages are divided evenly; empty for any
 * @param leakDetection remember where each buffer was allocated, report those that are lost, and
 *     detect double frees
 */
public record PoolSettings(
    long sizeBytes,
    long maxBytes,
    long fallbackMaxBytes,
    Duration waitTimeout,
    int threads,
    int device,
    List<Integer> numaNodes,
    boolean leakDetection) {}
