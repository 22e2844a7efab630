package io.mooring.report;

import io.mooring.cache.CacheStats.CacheStat;
import io.mooring.conf.CacheEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.memory.FallbackCause;
import io.mooring.memory.PoolStat;
import io.mooring.metrics.MetricUnit;
import io.mooring.report.PoolSnapshot.FallbackTotals;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Advice on the size of the pinned pool, in one line, from the last report of each executor. */
public final class PoolAdvice {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  // People write settings: a size above this is a whole number of gibibytes.
  private static final long FINE_BELOW = 4 * GIB;
  private static final long FINE_STEP = 64 * MIB;

  private PoolAdvice() {}

  /**
   * The peak of the fullest pool, the share of pageable buffers, and the size that would have been
   * enough.
   */
  public static String of(Collection<ExecutorReport> last) {
    if (last.isEmpty()) {
      return "no executor has reported its pool";
    }
    List<ExecutorReport> withGpu = last.stream().filter(it -> !it.device().isEmpty()).toList();
    List<ExecutorReport> used = last.stream().filter(it -> demand(it.pool()) > 0).toList();
    if (used.isEmpty()) {
      return withGpu.isEmpty()
          ? "nothing used the pinned pool: no executor has a usable GPU ("
              + last.iterator().next().problem()
              + ")"
          : "nothing used the pinned pool";
    }
    ExecutorReport most =
        used.stream()
            .max(Comparator.comparingLong(it -> it.pool().get(PoolStat.HIGH_WATER_MARK)))
            .get();
    return peak(most) + "; " + share(used) + "; " + enough(used) + cache(used);
  }

  private static String peak(ExecutorReport most) {
    return String.format(
        "the pinned pool's peak was %s of %s (executor %s)",
        MetricUnit.BYTES.show(most.pool().get(PoolStat.HIGH_WATER_MARK)),
        MetricUnit.BYTES.show(most.pool().get(PoolStat.CAPACITY_BYTES)),
        most.executor());
  }

  private static String share(List<ExecutorReport> used) {
    long fallback = used.stream().mapToLong(it -> it.pool().fallbackBytes()).sum();
    long served = used.stream().mapToLong(it -> it.pool().get(PoolStat.REQUESTED_BYTES)).sum();
    double share = fallback == 0 ? 0 : 100.0 * fallback / (fallback + served);
    String text = String.format(Locale.ROOT, "%.1f%% of the buffers' bytes were pageable", share);
    return fallback == 0 ? text : text + " (" + causes(used) + ")";
  }

  private static String causes(List<ExecutorReport> used) {
    Map<String, Long> counts = new TreeMap<>();
    for (ExecutorReport report : used) {
      report.pool().fallbacks().forEach((c, f) -> counts.merge(c, f.count(), Long::sum));
    }
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String enough(List<ExecutorReport> used) {
    long most = used.stream().mapToLong(it -> demand(it.pool())).max().orElse(0);
    // Buffers that waited or were refused would have taken more than was observed.
    boolean cut = used.stream().anyMatch(it -> it.pool().get(PoolStat.WAIT_COUNT) > 0);
    return PoolEntries.SIZE.key()
        + "="
        + setting(most)
        + " would have been enough"
        + (cut ? " or nearly so" : "");
  }

  /** The size of the cache for what was read more than once, where it was too small. */
  private static String cache(List<ExecutorReport> used) {
    long most =
        used.stream().mapToLong(it -> it.pool().get(CacheStat.ENOUGH_BYTES)).max().orElse(0);
    return most == 0
        ? ""
        : String.format(
            "; %s=%s, in a pool with that much more than scans need, would have held every column"
                + " chunk that was read again",
            CacheEntries.SIZE.key(), setting(most));
  }

  /** The pool size that would have served every buffer, as far as the executor has observed. */
  static long demand(PoolSnapshot pool) {
    boolean larger =
        pool.fallbacks().entrySet().stream()
            .anyMatch(
                entry ->
                    !entry.getKey().equals(FallbackCause.STARTING.name())
                        && happened(entry.getValue()));
    return pool.get(PoolStat.HIGH_WATER_MARK)
        + (larger ? pool.get(PoolStat.FALLBACK_BYTES_HELD) : 0);
  }

  private static boolean happened(FallbackTotals fallbacks) {
    return fallbacks.count() > 0;
  }

  /** A size as a user would write it, rounded up. */
  public static String setting(long bytes) {
    long step = bytes < FINE_BELOW ? FINE_STEP : GIB;
    long rounded = (bytes + step - 1) / step * step;
    return rounded % GIB == 0 ? rounded / GIB + "g" : rounded / MIB + "m";
  }
}
