package io.mooring.spark;

import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.metrics.Unit;
import io.mooring.ui.Advice;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.SparkConf;

/**
 * Whether the memory that Mooring takes beside the heap fits the container that Spark asks the
 * cluster manager for: on YARN and Kubernetes, which end a process that outgrows its container.
 * Computes the overhead as Spark does. Sizes in bytes. Immutable.
 */
final class ContainerFit {
  private static final String HEAP = "spark.executor.memory";
  private static final String OVERHEAD = "spark.executor.memoryOverhead";
  private static final String FACTOR = "spark.executor.memoryOverheadFactor";
  private static final String FACTOR_ON_KUBERNETES = "spark.kubernetes.memoryOverheadFactor";
  private static final String LEAST = "spark.executor.minMemoryOverhead";
  private static final int AUTO_SHARE = 4;
  private static final long MOST_AUTO = 16L << 30;
  private static final int MIB_SHIFT = 20;

  private final SparkConf spark;
  private final MooringConf mooring;

  ContainerFit(SparkConf spark, MooringConf mooring) {
    this.spark = spark;
    this.mooring = mooring;
  }

  /** What to warn of, with keys and values; empty when it fits or nothing limits the process. */
  Optional<String> warning() {
    if (!mooring.get(MooringConf.ENABLED) || !isLimited()) {
      return Optional.empty();
    }
    long pool = pool();
    long fallback = mooring.get(PoolEntries.FALLBACK_MAX_SIZE);
    if (pool + fallback <= overhead()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            "The pinned pool (%s, %s) and its pageable fallback (%s, %s) do not both fit %s (%s):"
                + " the cluster manager may end executors that use them. Set %s to %s, or less of"
                + " the others",
            PoolEntries.SIZE.key(),
            (isAuto() ? "auto, here up to " : "") + Unit.BYTES.show(pool),
            PoolEntries.FALLBACK_MAX_SIZE.key(),
            Unit.BYTES.show(fallback),
            OVERHEAD,
            Unit.BYTES.show(overhead()) + (spark.contains(OVERHEAD) ? "" : ", Spark's default"),
            OVERHEAD,
            Advice.setting(pool + fallback + sparksOverhead())));
  }

  private boolean isLimited() {
    String master = spark.get("spark.master", "");
    return master.startsWith("yarn") || master.startsWith("k8s");
  }

  private boolean isAuto() {
    return mooring.get(PoolEntries.SIZE).isEmpty();
  }

  private long pool() {
    OptionalLong size = mooring.get(PoolEntries.SIZE);
    // As PoolSizing takes it where the container is what limits the process.
    long start = size.orElse(Math.min((heap() + overhead()) / AUTO_SHARE, MOST_AUTO));
    return start == 0 ? 0 : Math.max(start, mooring.get(PoolEntries.MAX_SIZE).orElse(0));
  }

  private long heap() {
    return spark.getSizeAsMb(HEAP, "1g") << MIB_SHIFT;
  }

  private long overhead() {
    return spark.contains(OVERHEAD) ? spark.getSizeAsMb(OVERHEAD) << MIB_SHIFT : sparksOverhead();
  }

  /** What Spark takes without being told: meant for the JVM itself. */
  private long sparksOverhead() {
    double factor = spark.getDouble(FACTOR, spark.getDouble(FACTOR_ON_KUBERNETES, 0.1));
    long least = spark.getSizeAsMb(LEAST, "384m") << MIB_SHIFT;
    return Math.max((long) (factor * heap()), least);
  }
}
