package io.mooring.metrics;

import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolRegistration;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import java.util.Objects;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The flight recorder's events of the pool of this process. Thread-safe. */
public final class PoolRecording {
  private static boolean started;

  private PoolRecording() {}

  /** Writes the pool's usage into every recording from now on; later calls do nothing. */
  public static synchronized void start() {
    if (!started) {
      started = true;
      FlightRecorder.addPeriodicEvent(PoolUsageEvent.class, PoolRecording::recordUsage);
    }
  }

  private static void recordUsage() {
    new PoolUsageEvent(PinnedPool.stats()).commit();
    recordRegistrations();
  }

  /** Native threads register: their events are written afterwards. */
  private static void recordRegistrations() {
    PinnedPool.takeRegistrations().forEach(extent -> new PoolRegistrationEvent(extent).commit());
  }

  /** Writes the event of the pool's start, once that has ended. */
  public static void poolStarted() {
    String refusal = Objects.requireNonNullElse(PinnedPool.refusal(), "");
    new PoolStartEvent(PinnedPool.stats(), refusal).commit();
    recordRegistrations();
  }

  /** The registration of an extent of the pool, within the second before the event. */
  @Name("io.mooring.PoolRegistration")
  @Label("Pinned pool registration")
  @Description(
      "An extent of the pinned pool was registered with the CUDA driver, at start or by growth")
  @Category("Mooring")
  @StackTrace(false)
  private static final class PoolRegistrationEvent extends Event {
    @Label("Offset")
    @DataAmount
    final long offset;

    @Label("Size")
    @DataAmount
    final long bytes;

    @Label("Time from the pool's start")
    @Timespan
    final long sinceStart;

    @Label("Time in the CUDA driver")
    @Timespan
    final long took;

    PoolRegistrationEvent(PoolRegistration extent) {
      this.offset = extent.offset();
      this.bytes = extent.bytes();
      this.sinceStart = extent.sinceStart().toNanos();
      this.took = extent.took().toNanos();
    }
  }

  /** The end of the pinned pool's start, with its whole size or a part. */
  @Name("io.mooring.PoolStart")
  @Label("Pinned pool start")
  @Category("Mooring")
  @StackTrace(false)
  private static final class PoolStartEvent extends Event {
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

  /** A snapshot of the pinned pool, once a second while a recording runs. */
  @Name("io.mooring.PoolUsage")
  @Label("Pinned pool usage")
  @Category("Mooring")
  @Period("1 s")
  @StackTrace(false)
  private static final class PoolUsageEvent extends Event {
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
}
