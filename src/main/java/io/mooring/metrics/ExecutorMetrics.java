package io.mooring.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.mooring.cache.ChunkCache;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.unit.ScanCounters;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The metrics of an executor: gauges of its pool and its cache, counters, timers and histograms of
 * its scans.
 */
public final class ExecutorMetrics {
  private ExecutorMetrics() {}

  /** Registers all, and lets them follow the scans of this process. Thread-safe. */
  public static void register(MetricRegistry registry) {
    for (PoolGauge gauge : PoolGauge.values()) {
      Gauge<Long> now = () -> gauge.of(PinnedPool.stats());
      registry.register(gauge.info().key(), now);
    }
    for (CacheGauge gauge : CacheGauge.values()) {
      Gauge<Long> now = () -> gauge.of(ChunkCache.shared().stats());
      registry.register(gauge.info().key(), now);
    }
    Map<ScanCounters.Counter, LongConsumer> scans = new EnumMap<>(ScanCounters.Counter.class);
    for (PlanMetric metric : PlanMetric.values()) {
      scans.put(metric.counter(), follower(registry, metric));
    }
    ScanCounters.observe(
        (counter, amount) -> {
          LongConsumer follower = scans.get(counter);
          if (follower != null) {
            follower.accept(amount);
          }
        });
  }

  private static LongConsumer follower(MetricRegistry registry, PlanMetric metric) {
    if (metric.unit() == MetricUnit.NANOSECONDS || metric.unit() == MetricUnit.LONGEST) {
      Timer timer = registry.timer(key(metric));
      return nanoseconds -> timer.update(nanoseconds, TimeUnit.NANOSECONDS);
    }
    if (metric.unit() == MetricUnit.PEAK) {
      return registry.histogram(key(metric))::update;
    }
    Counter counter = registry.counter(key(metric));
    return counter::inc;
  }

  /** The name of a scan's metric in the registry: a timer tells its unit itself. */
  public static String key(PlanMetric metric) {
    return "scan." + metric.key().replace("Nanos", "");
  }
}
