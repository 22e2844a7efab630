package io.mooring.report;

import io.mooring.cache.CacheStats;
import io.mooring.cache.CacheStats.CacheStat;
import io.mooring.memory.FallbackCause;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolState;
import io.mooring.memory.PoolStats;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * The statistics of an executor's pool under their names, as reports and the event log hold them: a
 * program of another version finds those that it knows. Immutable.
 *
 * @param state the name of a {@link PoolState}
 * @param stats by the name of the {@link PoolStat}; those that are 0 are absent
 * @param fallbacks by the name of the {@link FallbackCause}; causes that never occurred are absent
 * @param cache statistics of the cache in the pool, by the name of the {@link CacheStat}; those
 *     that are 0 are absent
 */
public record PoolSnapshot(
    String state,
    Map<String, Long> stats,
    Map<String, FallbackTotals> fallbacks,
    Map<String, Long> cache)
    implements Serializable {

  public static PoolSnapshot of(PoolStats now, CacheStats cache) {
    Map<String, Long> stats = new TreeMap<>();
    for (PoolStat stat : PoolStat.values()) {
      if (stat != PoolStat.STATE && now.get(stat) != 0) {
        stats.put(stat.name(), now.get(stat));
      }
    }
    Map<String, FallbackTotals> fallbacks = new TreeMap<>();
    for (FallbackCause cause : FallbackCause.values()) {
      if (now.fallbackCount(cause) > 0) {
        fallbacks.put(
            cause.name(), new FallbackTotals(now.fallbackCount(cause), now.fallbackBytes(cause)));
      }
    }
    Map<String, Long> cached = new TreeMap<>();
    for (CacheStat stat : CacheStat.values()) {
      if (stat.of(cache) != 0) {
        cached.put(stat.name(), stat.of(cache));
      }
    }
    return new PoolSnapshot(now.state().name(), stats, fallbacks, cached);
  }

  public long get(PoolStat stat) {
    return stats.getOrDefault(stat.name(), 0L);
  }

  public long get(CacheStat stat) {
    return cache.getOrDefault(stat.name(), 0L);
  }

  /** Bytes of fallbacks of every cause. */
  public long fallbackBytes() {
    return fallbacks.values().stream().mapToLong(FallbackTotals::bytes).sum();
  }

  /** Whether the pool was in a state. */
  public boolean is(PoolState other) {
    return state.equals(other.name());
  }

  /** Number and bytes of the buffers that came from pageable memory for one cause. Immutable. */
  public record FallbackTotals(long count, long bytes) implements Serializable {}
}
