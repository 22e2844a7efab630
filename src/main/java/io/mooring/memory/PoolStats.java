package io.mooring.memory;

import java.util.Arrays;

/**
 * The pool's statistics at one moment. Allocations count both Java buffers and libcudf's; fallbacks
 * count Java buffers that came from pageable memory. Immutable.
 */
public final class PoolStats {
  private static final int CAUSES = FallbackCause.values().length;
  private static final int FALLBACK_COUNTS = PoolStat.values().length;
  private static final int FALLBACK_BYTES = FALLBACK_COUNTS + CAUSES;
  private static final int LENGTH = FALLBACK_BYTES + CAUSES;

  private final long[] values;

  private PoolStats(long[] values) {
    this.values = values;
  }

  /**
   * Takes the values of every {@link PoolStat}, then the count of fallbacks and then their bytes,
   * each for every {@link FallbackCause}, as {@code pool_snapshot} in pool.hpp holds them.
   *
   * @throws IllegalArgumentException for another number of values
   */
  static PoolStats decode(long[] values) {
    if (values.length != LENGTH) {
      throw new IllegalArgumentException(
          "Expected " + LENGTH + " statistics of the pool, got " + values.length);
    }
    return new PoolStats(values.clone());
  }

  /** The statistics of no pool. */
  static PoolStats none() {
    return new PoolStats(new long[LENGTH]);
  }

  /** These statistics, with further fallbacks of one cause. */
  PoolStats plus(FallbackCause cause, long count, long bytes) {
    long[] sum = values.clone();
    sum[FALLBACK_COUNTS + cause.ordinal()] += count;
    sum[FALLBACK_BYTES + cause.ordinal()] += bytes;
    return new PoolStats(sum);
  }

  public long get(PoolStat stat) {
    return values[stat.ordinal()];
  }

  public PoolState state() {
    return PoolState.values()[(int) get(PoolStat.STATE)];
  }

  /** {@link PoolStat#BYTES_IN_USE}. */
  public long bytesInUse() {
    return get(PoolStat.BYTES_IN_USE);
  }

  /** {@link PoolStat#CAPACITY_BYTES}. */
  public long capacityBytes() {
    return get(PoolStat.CAPACITY_BYTES);
  }

  /** Share of the free pages that are not in the longest run, 0 to 1. */
  public double fragmentation() {
    long taken = get(PoolStat.PAGE_BYTES_IN_USE) + get(PoolStat.EVICTABLE_BYTES);
    long free = capacityBytes() - taken;
    return free <= 0 ? 0 : 1 - (double) get(PoolStat.LARGEST_FREE_RUN) / free;
  }

  public long fallbackCount(FallbackCause cause) {
    return values[FALLBACK_COUNTS + cause.ordinal()];
  }

  public long fallbackBytes(FallbackCause cause) {
    return values[FALLBACK_BYTES + cause.ordinal()];
  }

  /** Fallbacks of every cause. */
  public long fallbackCount() {
    return Arrays.stream(values, FALLBACK_COUNTS, FALLBACK_BYTES).sum();
  }

  /** Bytes of fallbacks of every cause. */
  public long fallbackBytes() {
    return Arrays.stream(values, FALLBACK_BYTES, LENGTH).sum();
  }

  @Override
  public String toString() {
    return String.format(
        "pool %s: %,d of %,d bytes in use, at most %,d so far, %,d fallbacks of %,d bytes",
        state(),
        bytesInUse(),
        capacityBytes(),
        get(PoolStat.HIGH_WATER_MARK),
        fallbackCount(),
        fallbackBytes());
  }
}
