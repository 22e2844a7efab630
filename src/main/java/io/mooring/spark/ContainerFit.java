package io.mooring.spark;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolSizing;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * Whether the memory that Mooring takes beside the heap fits the container that Spark asks the
 * cluster manager for: on YARN and Kubernetes, which end a process that outgrows its container.
 * Immutable.
 */
final class ContainerFit {
  private final SparkConf spark;
  private final MooringConf mooring;

  ContainerFit(SparkConf spark, MooringConf mooring) {
    this.spark = spark;
    this.mooring = mooring;
  }

  /** What executors will warn of; empty when all fits or nothing limits the process. */
  Optional<String> warning() {
    if (!mooring.get(MooringConf.ENABLED) || !isLimited()) {
      return Optional.empty();
    }
    SparkMemory asked = new SparkMemory(spark);
    ExecutorMemory memory =
        new ExecutorMemory(asked.container(), true, asked.heap(), asked.besideHeap(), 1);
    return Optional.of(PoolSizing.of(mooring, memory).warning()).filter(it -> !it.isEmpty());
  }

  private boolean isLimited() {
    String master = spark.get("spark.master", "");
    return master.startsWith("yarn") || master.startsWith("k8s");
  }
}
