package io.mooring.gpu;

import static java.util.stream.Collectors.joining;

import io.mooring.conf.MachineLimits;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.PoolSizing;
import io.mooring.jni.PoolJni;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.memory.PoolStats;
import io.mooring.metrics.PoolRecording;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the pinned pool as the settings say, and tells what became of it. */
final class PoolStart {
  private static final Logger LOG = LoggerFactory.getLogger(PoolStart.class);
  private static final Duration REPORT_AFTER_AT_MOST = Duration.ofMinutes(5);

  private final MooringConf conf;
  private final PoolSizing sizing;
  private volatile List<Integer> nodes = List.of();

  /**
   * Takes the size from the settings and the machine.
   *
   * @param executors how many processes like this one the host may run, each with a pool
   */
  PoolStart(MooringConf conf, int executors) {
    this.conf = conf;
    MachineLimits machine = MachineLimits.ofThisMachine();
    this.sizing =
        PoolSizing.of(
            conf.get(PoolEntries.SIZE),
            machine.memory(),
            executors,
            Runtime.getRuntime().maxMemory(),
            machine.lockable());
  }

  /** Whether there is a pool. */
  boolean isOn() {
    return sizing.bytes() > 0;
  }

  /**
   * Starts the pool, or without one the counted pageable memory; returns at once.
   *
   * @param devices that it is for; the driver pins on the first
   */
  void start(List<Integer> devices) {
    if (!sizing.warning().isEmpty()) {
      LOG.warn(sizing.warning());
    }
    long most = isOn() ? conf.get(PoolEntries.MAX_SIZE).orElse(0) : 0;
    nodes = devices.stream().map(PoolJni::numaNode).filter(node -> node >= 0).distinct().toList();
    PinnedPool.start(
        new PoolSettings(
            sizing.bytes(),
            Math.max(sizing.bytes(), most),
            conf.get(PoolEntries.FALLBACK_MAX_SIZE),
            conf.get(PoolEntries.WAIT_TIMEOUT),
            (int) conf.get(PoolEntries.INIT_THREADS).orElse(PoolSettings.touchThreads()),
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
        "pinned pool of %d MiB in %d ms (first buffer after %d ms), NUMA node %s%s",
        stats.capacityBytes() >> 20,
        stats.startupNanos() / 1_000_000,
        stats.firstChunkNanos() / 1_000_000,
        nodes.isEmpty() ? "any" : nodes.stream().map(String::valueOf).collect(joining(", ")),
        refusal == null ? "" : ", the rest refused: " + refusal);
  }

  private static void warnOfRefusal(PoolStats stats, String refusal) {
    LOG.warn(
        "The pinned pool has {} of {} MiB: {}. Scans go on with what there is and with pageable"
            + " memory. Set {} to less, or give the executor more memory",
        stats.capacityBytes() >> 20,
        stats.targetBytes() >> 20,
        refusal,
        PoolEntries.SIZE.key());
  }
}
