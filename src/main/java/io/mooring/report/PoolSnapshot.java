package io.mooring.report;

import io.mooring.memory.FallbackCause;
import io.mooring.memory.PoolStats;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an executor tells of its pool: sizes in bytes, times in nanoseconds, counts since the
 * process began. Immutable.
 *
 * @param state the name of a {@link io.mooring.memory.PoolState}
 * @param numaNode -1 when there is one node, or nothing is said; -2 when memory is on several
 * @param target what was asked for
 * @param requested bytes that the pool has served in total
 * @param pageable pageable memory held: the most that was needed at once beside the pool
 * @param waits buffers that waited because the pool and pageable memory were both full
 * @param refused of these, those that got nothing in time
 * @param fallbacks by the name of the {@link FallbackCause}; causes that never occurred are left
 *     out
 */
public record PoolSnapshot(
    String state,
    int numaNode,
    long target,
    long capacity,
    long inUse,
    long highWaterMark,
    long requested,
    long pageable,
    long pageableLimit,
    long waits,
    long waited,
    long refused,
    long hostAllocations,
    long startup,
    Map<String, FallbackTotals> fallbacks)
    implements Serializable {

  /** The figures of one snapshot. */
  public static PoolSnapshot of(PoolStats stats) {
    return new PoolSnapshot(
        stats.state().name(),
        stats.numaNode(),
        stats.targetBytes(),
        stats.capacityBytes(),
        stats.bytesInUse(),
        stats.highWaterMark(),
        stats.requestedBytes(),
        stats.fallbackBytesHeld(),
        stats.fallbackLimit(),
        stats.waitCount(),
        stats.waitNanos(),
        stats.timeouts(),
        stats.hostAllocCount(),
        stats.startupNanos(),
        fallbacks(stats));
  }

  private static Map<String, FallbackTotals> fallbacks(PoolStats stats) {
    Map<String, FallbackTotals> byCause = new TreeMap<>();
    for (FallbackCause cause : FallbackCause.values()) {
      if (stats.fallbackCount(cause) > 0) {
        byCause.put(
            cause.name(),
            new FallbackTotals(stats.fallbackCount(cause), stats.fallbackBytes(cause)));
      }
    }
    return byCause;
  }

  /** Bytes of all fallbacks. */
  public long fallbackBytes() {
    return fallbacks.values().stream().mapToLong(FallbackTotals::bytes).sum();
  }
}
