package io.mooring.jni;

/**
 * How the pool of a process is made. Native code reads the fields by their names, which are those
 * of {@code pool_options} in pool_options.hpp. Sizes in bytes. Immutable.
 *
 * @param size what the pool starts with; 0 for no pool
 * @param maxSize what it may grow to; at least {@code size}
 * @param fallbackLimit most pageable bytes beside it
 * @param threads that touch memory at start
 * @param device whose CUDA driver pins; -1 leaves the memory pageable
 * @param numaNodes over which pages are divided evenly; empty for any
 * @param checks detect double frees
 */
@SuppressWarnings("ArrayRecordComponent") // native code reads an array of int
public record PoolOptions(
    long size,
    long maxSize,
    long fallbackLimit,
    int threads,
    int device,
    int[] numaNodes,
    boolean checks) {}
