package io.mooring.benchmarks.worker.jvm;

import ai.rapids.cudf.Rmm;
import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** High-water marks of the memory of Mooring in this process, beside its limits, in bytes. */
final class HighWaterMarks {

  private static final String IO_THREADS = "mooring-io-";
  private static final String STORE_THREADS = "mooring-store-";

  private HighWaterMarks() {}

  /** Forgets the device's mark; the pool keeps its own since the start. */
  static void reset() {
    try {
      if (onGpu()) {
        // What is held already counts too.
        Rmm.resetScopedMaximumBytesAllocated(Rmm.getTotalBytesAllocated());
      }
    } catch (LinkageError e) {
      // A worker without Mooring, as the peer's.
    }
  }

  /** The marks by name; empty where Mooring has no GPU. */
  static Map<String, Long> marks() {
    Map<String, Long> marks = new TreeMap<>();
    try {
      if (onGpu()) {
        addHost(marks, PinnedPool.stats());
        marks.put("deviceHighWaterBytes", Rmm.getScopedMaximumBytesAllocated());
        marks.put("deviceLimitBytes", Rmm.getPoolSize());
        Set<Thread> threads = Thread.getAllStackTraces().keySet();
        marks.put("ioThreads", count(threads, IO_THREADS));
        marks.put("storeThreads", count(threads, STORE_THREADS));
      }
    } catch (LinkageError e) {
      // A worker without Mooring, as the peer's.
    }
    return marks;
  }

  private static boolean onGpu() {
    return GpuRuntime.current().filter(GpuRuntime::usable).isPresent();
  }

  private static void addHost(Map<String, Long> marks, PoolStats stats) {
    marks.put("pinnedHighWaterBytes", stats.get(PoolStat.HIGH_WATER_MARK));
    marks.put(
        "pinnedLimitBytes",
        Math.max(stats.get(PoolStat.TARGET_BYTES), stats.get(PoolStat.MAX_BYTES)));
    marks.put("pageableHighWaterBytes", stats.get(PoolStat.FALLBACK_BYTES_HELD));
    marks.put("pageableLimitBytes", stats.get(PoolStat.FALLBACK_LIMIT));
  }

  private static long count(Set<Thread> threads, String name) {
    return threads.stream().filter(thread -> thread.getName().startsWith(name)).count();
  }
}
