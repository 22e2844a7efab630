package io.mooring.spark;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolSizing;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.SparkConf;

/** The memory of an executor by Spark's settings, in bytes. Immutable. */
final class SparkExecutorMemory {
  private static final String OVERHEAD = "spark.executor.memoryOverhead";
  private static final String FACTOR = "spark.executor.memoryOverheadFactor";
  private static final String FACTOR_ON_KUBERNETES = "spark.kubernetes.memoryOverheadFactor";
  private static final String LEAST = "spark.executor.minMemoryOverhead";
  private static final int MIB_SHIFT = 20;

  private final SparkConf conf;

  SparkExecutorMemory(SparkConf conf) {
    this.conf = conf;
  }

  /** The share of the machine that an executor with these settings may use. */
  SparkShare share() {
    String master = conf.get("spark.master", "");
    boolean isContained = master.startsWith("yarn") || master.startsWith("k8s");
    return new SparkShare(
        besideHeap(),
        isContained ? OptionalLong.of(heap() + overhead() + besideHeap()) : OptionalLong.empty());
  }

  /**
   * The warning that executors will log where the memory that Mooring takes beside the heap does
   * not fit the container that Spark asks YARN or Kubernetes for: they kill a process that outgrows
   * its container. Empty when all fits or nothing limits the process.
   */
  Optional<String> warning(MooringConf mooring) {
    OptionalLong container = share().container();
    if (!mooring.get(MooringConf.ENABLED) || container.isEmpty()) {
      return Optional.empty();
    }
    ExecutorMemory memory =
        new ExecutorMemory(container.getAsLong(), true, heap(), besideHeap(), 1);
    return Optional.of(PoolSizing.of(mooring, memory).warning()).filter(it -> !it.isEmpty());
  }

  private long heap() {
    return conf.getSizeAsMb("spark.executor.memory", "1g") << MIB_SHIFT;
  }

  /** The off-heap and Python memory, for which a container has room beside the overhead. */
  private long besideHeap() {
    long offHeap =
        conf.getBoolean("spark.memory.offHeap.enabled", false)
            ? conf.getSizeAsBytes("spark.memory.offHeap.size", "0")
            : 0;
    return offHeap + (conf.getSizeAsMb("spark.executor.pyspark.memory", "0") << MIB_SHIFT);
  }

  private long overhead() {
    if (conf.contains(OVERHEAD)) {
      return conf.getSizeAsMb(OVERHEAD) << MIB_SHIFT;
    }
    double factor = conf.getDouble(FACTOR, conf.getDouble(FACTOR_ON_KUBERNETES, 0.1));
    long least = conf.getSizeAsMb(LEAST, "384m") << MIB_SHIFT;
    return Math.max((long) (factor * heap()), least);
  }
}
