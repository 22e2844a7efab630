package io.mooring.cache;

/**
 * What the cache of a process has done so far. Immutable.
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
}
