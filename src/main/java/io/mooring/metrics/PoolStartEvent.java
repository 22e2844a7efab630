package io.mooring.metrics;

import io.mooring.memory.PoolStats;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The start of the pinned pool has ended, with all of it or with a part. */
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

  @Label("Time to first chunk")
  @Timespan
  final long firstChunk;

  @Label("Time to all of it")
  @Timespan
  final long all;

  @Label("Why the rest was refused")
  final String refusal;

  PoolStartEvent(PoolStats stats, String refusal) {
    this.target = stats.targetBytes();
    this.capacity = stats.capacityBytes();
    this.numaNode = stats.numaNode();
    this.firstChunk = stats.firstChunkNanos();
    this.all = stats.startupNanos();
    this.refusal = refusal;
  }
}
