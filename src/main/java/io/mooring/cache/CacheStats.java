package io.mooring.cache;

import java.util.function.ToLongFunction;

/**
 * Statistics of a process's cache since it was made. Immutable.
 *
 * @param bytes held now
 * @param hits column chunks that it served
 * @param misses column chunks that were read because it did not have them
 * @param hitBytes bytes that were not read because it had them
 * @param replacedBytes bytes that made room for others
 * @param changedBytes bytes of files that were written again
 * @param enoughBytes the size that would have served every chunk that was read again; 0 where the
 *     size is enough
 */
public record CacheStats(
    long bytes,
    long hits,
    long misses,
    long hitBytes,
    long replacedBytes,
    long changedBytes,
    long enoughBytes) {
  /** The statistics of no cache. */
  public static final CacheStats NONE = new CacheStats(0, 0, 0, 0, 0, 0, 0);

  /** One number that the cache of a process keeps about itself. */
  public enum CacheStat {
    /** Bytes held now. */
    BYTES(CacheStats::bytes),
    /** Column chunks that were uploaded from it. */
    HITS(CacheStats::hits),
    /** Column chunks that were looked up and had to be read. */
    MISSES(CacheStats::misses),
    /** Bytes that were not read because it had them. */
    HIT_BYTES(CacheStats::hitBytes),
    /** Bytes that made room for others which had been used later. */
    REPLACED_BYTES(CacheStats::replacedBytes),
    /** Bytes of files that were written again. */
    CHANGED_BYTES(CacheStats::changedBytes),
    /** The size that would have served every chunk that was read again; 0 where it is enough. */
    ENOUGH_BYTES(CacheStats::enoughBytes);

    private final ToLongFunction<CacheStats> value;

    CacheStat(ToLongFunction<CacheStats> value) {
      this.value = value;
    }

    /** The value of this statistic in a snapshot. */
    public long of(CacheStats stats) {
      return value.applyAsLong(stats);
    }
  }
}
