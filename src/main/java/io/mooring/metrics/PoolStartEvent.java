package io.mooring.metrics;

import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The end of the pinned pool's start, with its whole size or a part. */
@Name("io.mooring.PoolStart")
@Label("Pinned pool start")
@Category("Mooring")
@StackTrace(false)
final class PoolStartEvent extends Event {
  @Label("Asked for")
  @DataAmount
  final long target;

  @Label("Capacity")
  @DataAmount
  final long capacity;

  @Label("NUMA node")
  final int numaNode;

  @Label("Time to first extent")
  @Timespan
  final long firstExtent;

  @Label("Time to whole size")
  @Timespan
  final long all;

  @Label("Why the rest was refused")
  final String refusal;

  PoolStartEvent(PoolStats stats, String refusal) {
    this.target = stats.get(PoolStat.TARGET_BYTES);
    this.capacity = stats.capacityBytes();
    this.numaNode = (int) stats.get(PoolStat.NUMA_NODE);
    this.firstExtent = stats.get(PoolStat.FIRST_EXTENT_NANOS);
    this.all = stats.get(PoolStat.STARTUP_NANOS);
    this.refusal = refusal;
  }
}
