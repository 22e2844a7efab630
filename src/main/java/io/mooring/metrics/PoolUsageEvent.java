package io.mooring.metrics;

import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A snapshot of the pinned pool, once a second while a recording runs. */
@Name("io.mooring.PoolUsage")
@Label("Pinned pool usage")
@Category("Mooring")
@Period("1 s")
@StackTrace(false)
final class PoolUsageEvent extends Event {
  @Label("State")
  final String state;

  @Label("Capacity")
  @DataAmount
  final long capacity;

  @Label("In use")
  @DataAmount
  final long inUse;

  @Label("Cached by threads")
  @DataAmount
  final long cached;

  @Label("High-water mark")
  @DataAmount
  final long highWaterMark;

  @Label("Fragmentation")
  @Percentage
  final float fragmentation;

  @Label("Fallbacks so far")
  final long fallbacks;

  @Label("Fallback bytes so far")
  @DataAmount
  final long fallbackBytes;

  @Label("Waited so far")
  @Timespan
  final long waited;

  PoolUsageEvent(PoolStats stats) {
    this.state = stats.state().name();
    this.capacity = stats.capacityBytes();
    this.inUse = stats.bytesInUse();
    this.cached = stats.get(PoolStat.CACHED_BYTES);
    this.highWaterMark = stats.get(PoolStat.HIGH_WATER_MARK);
    this.fragmentation = (float) stats.fragmentation();
    this.fallbacks = stats.fallbackCount();
    this.fallbackBytes = stats.fallbackBytes();
    this.waited = stats.get(PoolStat.WAIT_NANOS);
  }
}
