package io.mooring.gpu;

import io.mooring.conf.MachineLimits;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolSizing;
import io.mooring.jni.PoolJni;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.memory.PoolStats;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the pinned pool as the settings say and reports what became of it. */
final class PoolStart {
  private static final Logger LOG = LoggerFactory.getLogger(PoolStart.class);
  private static final int MOST_USEFUL_THREADS = 12;
  private static final Duration REPORT_AFTER_AT_MOST = Duration.ofMinutes(5);

  private final MooringConf conf;
  private final PoolSizing sizing;

  PoolStart(MooringConf conf) {
    this.conf = conf;
    MachineLimits machine = MachineLimits.ofThisMachine();
    this.sizing =
        PoolSizing.of(conf.get(MooringConf.POOL_SIZE), machine.memory(), machine.lockable());
  }

  /** Bytes that the pool gets; 0 for no pool. */
  long sizeBytes() {
    return sizing.bytes();
  }

  /** Starts the pool on {@code device}, -1 for none; returns at once. */
  void start(int device) {
    if (!sizing.warning().isEmpty()) {
      LOG.warn(sizing.warning());
    }
    int cores = Runtime.getRuntime().availableProcessors();
    PinnedPool.start(
        new PoolSettings(
            sizing.bytes(),
            Math.max(sizing.bytes(), conf.get(MooringConf.POOL_MAX_SIZE).orElse(0)),
            conf.get(MooringConf.FALLBACK_MAX_SIZE),
            conf.get(MooringConf.WAIT_TIMEOUT),
            (int)
                conf.get(MooringConf.INIT_THREADS)
                    .orElse(Math.max(1, Math.min(MOST_USEFUL_THREADS, cores))),
            device,
            device < 0 ? -1 : PoolJni.numaNode(device),
            conf.get(MooringConf.LEAK_DETECTION)));
  }

  /**
   * Waits for the pool and logs one line on it; a second, at WARN, when it is smaller than asked.
   */
  void report(int device) {
    if (sizing.bytes() == 0) {
      LOG.info("Mooring: GPU {}, no pinned pool: buffers are pageable", device);
      return;
    }
    PinnedPool.awaitStarted(REPORT_AFTER_AT_MOST);
    PoolStats stats = PinnedPool.stats();
    LOG.info(
        "Mooring: GPU {}, pinned pool of {} MiB ready in {} ms (first buffer after {} ms), {}",
        device,
        stats.capacityBytes() >> 20,
        stats.startupNanos() / 1_000_000,
        stats.firstChunkNanos() / 1_000_000,
        stats.numaNode() < 0 ? "one NUMA node" : "NUMA node " + stats.numaNode());
    String refusal = PinnedPool.refusal();
    if (refusal != null) {
      LOG.warn(
          "The pinned pool has {} of {} bytes, because of: {}. Scans go on with what there is and"
              + " with pageable memory. Set {} to less",
          stats.capacityBytes(),
          stats.targetBytes(),
          refusal,
          MooringConf.POOL_SIZE.key());
    }
  }
}
