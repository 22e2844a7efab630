package io.mooring.memory;

import java.util.Arrays;

/**
 * The pool's figures at one moment; sizes in bytes, times in nanoseconds. Immutable.
 *
 * <ul>
 *   <li>Bytes in use are rounded up to blocks; the high-water mark counts pages, and so what
 *       threads keep in their caches too: it is the size that would have been enough.
 *   <li>Allocations and frees count both Java buffers and libcudf's.
 *   <li>Fallbacks count Java buffers that came from pageable memory.
 * </ul>
 */
public final class PoolStats {
  private static final int CAUSES = FallbackCause.values().length;
  private static final int FALLBACK_COUNTS = 23;
  private static final int FALLBACK_BYTES = FALLBACK_COUNTS + CAUSES;
  private static final int LENGTH = FALLBACK_BYTES + CAUSES;

  private final long[] figures;

  private PoolStats(long[] figures) {
    this.figures = figures;
  }

  /** Figures in the order of {@code pool_snapshot} in pool_stats.hpp. */
  static PoolStats decode(long[] figures) {
    if (figures.length != LENGTH) {
      throw new IllegalArgumentException(
          "Expected " + LENGTH + " figures of the pool, got " + figures.length);
    }
    return new PoolStats(figures.clone());
  }

  /** The figures of no pool. */
  static PoolStats none() {
    return new PoolStats(new long[LENGTH]);
  }

  /** These figures, with further fallbacks of one cause. */
  PoolStats plus(FallbackCause cause, long count, long bytes) {
    long[] sum = figures.clone();
    sum[FALLBACK_COUNTS + cause.index()] += count;
    sum[FALLBACK_BYTES + cause.index()] += bytes;
    return new PoolStats(sum);
  }

  public PoolState state() {
    return PoolState.values()[(int) figures[0]];
  }

  /** -1 when there is one node, or nothing is said; -2 when memory is on several. */
  public int numaNode() {
    return (int) figures[1];
  }

  public long targetBytes() {
    return figures[2];
  }

  public long maxBytes() {
    return figures[3];
  }

  /** What is usable now: registered with the driver so far. */
  public long capacityBytes() {
    return figures[4];
  }

  public long bytesInUse() {
    return figures[5];
  }

  /** Free blocks in the caches of threads. */
  public long cachedBytes() {
    return figures[6];
  }

  /** Freed by libcudf, waiting for their stream. */
  public long deferredBytes() {
    return figures[7];
  }

  /** Pages taken, by callers or by caches. */
  public long pageBytesInUse() {
    return figures[8];
  }

  public long highWaterMark() {
    return figures[9];
  }

  /** The longest buffer that could be had at once, in bytes; libcudf can have a chunk at most. */
  public long largestFreeRun() {
    return figures[10];
  }

  /** Share of the free pages that are not in the longest run, 0 to 1. */
  public double fragmentation() {
    long free = capacityBytes() - pageBytesInUse();
    return free <= 0 ? 0 : 1 - (double) largestFreeRun() / free;
  }

  public long allocations() {
    return figures[11];
  }

  public long frees() {
    return figures[12];
  }

  /** libcudf's allocations beyond the pool: one cudaHostAlloc each. */
  public long hostAllocCount() {
    return figures[13];
  }

  /** Blocks lost for ever because their stream could not be marked. */
  public long parkedBlocks() {
    return figures[14];
  }

  /** From start to the whole size; 0 while starting. */
  public long startupNanos() {
    return figures[15];
  }

  public long firstChunkNanos() {
    return figures[16];
  }

  /** Pageable bytes, in use or kept for reuse. */
  public long fallbackBytesHeld() {
    return figures[17];
  }

  public long fallbackLimit() {
    return figures[18];
  }

  public long waitCount() {
    return figures[19];
  }

  public long waitNanos() {
    return figures[20];
  }

  public long timeouts() {
    return figures[21];
  }

  /** What callers asked for in total, before rounding. */
  public long requestedBytes() {
    return figures[22];
  }

  public long fallbackCount(FallbackCause cause) {
    return figures[FALLBACK_COUNTS + cause.index()];
  }

  public long fallbackBytes(FallbackCause cause) {
    return figures[FALLBACK_BYTES + cause.index()];
  }

  public long fallbackCount() {
    return Arrays.stream(figures, FALLBACK_COUNTS, FALLBACK_COUNTS + CAUSES).sum();
  }

  public long fallbackBytes() {
    return Arrays.stream(figures, FALLBACK_BYTES, LENGTH).sum();
  }

  @Override
  public String toString() {
    return String.format(
        "pool %s: %,d of %,d bytes in use, at most %,d so far, %,d fallbacks of %,d bytes",
        state(), bytesInUse(), capacityBytes(), highWaterMark(), fallbackCount(), fallbackBytes());
  }
}
