package io.mooring.gpu;

import static java.util.stream.Collectors.joining;

import io.mooring.cache.CacheLimits;
import io.mooring.conf.AutoDefaults;
import io.mooring.conf.CacheEntries;
import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.PoolSizing;
import io.mooring.jni.PoolJni;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import io.mooring.metrics.PoolRecording;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the pinned pool as the settings say, and describes the result. */
final class PoolStart {
  private static final Logger LOG = LoggerFactory.getLogger(PoolStart.class);
  private static final Duration REPORT_AFTER_AT_MOST = Duration.ofMinutes(5);

  private final MooringConf conf;
  private final PoolSizing sizing;
  private volatile List<Integer> nodes = List.of();
  private volatile boolean mayBind = true;

  /** Takes the sizes from the settings and the executor's memory. */
  PoolStart(MooringConf conf, ExecutorMemory memory) {
    this.conf = conf;
    this.sizing = PoolSizing.of(conf, memory);
  }

  /** Whether there is a pool. */
  boolean isOn() {
    return sizing.bytes() > 0;
  }

  /**
   * The share of the pool that the cache of column chunks may hold: local files only in a size that
   * is set.
   */
  CacheLimits cacheLimits() {
    // With another allocator in the pool's place nothing could be evicted.
    long pool = PinnedPool.replacement() == null ? sizing.bytes() : 0;
    OptionalLong size = conf.get(CacheEntries.SIZE);
    return size.isPresent()
        ? CacheLimits.ofAllFiles(Math.min(pool, size.getAsLong()))
        : CacheLimits.ofRemoteFiles(AutoDefaults.cacheBytes(pool));
  }

  /**
   * Starts the pool, or without one the counted pageable memory; returns at once.
   *
   * @param devices that it is for; the CUDA driver pins on the first
   */
  void start(List<Integer> devices) {
    if (!sizing.warning().isEmpty()) {
      LOG.warn(sizing.warning());
    }
    List<Integer> near =
        devices.stream().map(PoolJni::numaNode).filter(node -> node >= 0).distinct().toList();
    mayBind = near.isEmpty() || PoolJni.mayBindMemory();
    nodes = mayBind ? near : List.of();
    PinnedPool.start(
        new PoolSettings(
            sizing.bytes(),
            sizing.maxBytes(),
            sizing.fallbackBytes(),
            conf.get(PoolEntries.WAIT_TIMEOUT),
            (int) conf.get(PoolEntries.INIT_THREADS).orElse(AutoDefaults.initThreads()),
            devices.get(0),
            nodes,
            conf.get(MooringConf.LEAK_DETECTION)));
  }

  /**
   * Waits for the pool and describes it in a few words. Warns when the system gave less than was
   * asked of it, unless {@link #start} has warned of the size already.
   */
  String await() {
    if (!isOn()) {
      return "no pinned pool, buffers are pageable";
    }
    PinnedPool.awaitStarted(REPORT_AFTER_AT_MOST);
    PoolRecording.poolStarted();
    PoolStats stats = PinnedPool.stats();
    String refusal = PinnedPool.refusal();
    if (refusal != null && sizing.warning().isEmpty()) {
      warnOfRefusal(stats, refusal);
    }
    return String.format(
        "pinned pool of %d MiB in %d ms (first buffer after %d ms) and up to %d MiB of pageable"
            + " buffers, NUMA node %s%s",
        stats.capacityBytes() >> 20,
        stats.get(PoolStat.STARTUP_NANOS) / 1_000_000,
        stats.get(PoolStat.FIRST_EXTENT_NANOS) / 1_000_000,
        sizing.fallbackBytes() >> 20,
        nodeNames(),
        refusal == null ? "" : ", the rest refused: " + refusal);
  }

  private String nodeNames() {
    if (nodes.isEmpty()) {
      return mayBind ? "any" : "any (the container forbids mbind)";
    }
    return nodes.stream().map(String::valueOf).collect(joining(", "));
  }

  private static void warnOfRefusal(PoolStats stats, String refusal) {
    LOG.warn(
        "The pinned pool has {} of {} MiB: {}. Scans go on with that and with pageable memory."
            + " Set {} to less, or give the executor more memory",
        stats.capacityBytes() >> 20,
        stats.get(PoolStat.TARGET_BYTES) >> 20,
        refusal,
        PoolEntries.SIZE.key());
  }
}
