package io.mooring.spark;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolSizing;
import io.mooring.conf.SparkShare;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * Checks that the memory which Mooring takes beside the heap fits the container that Spark asks
 * YARN or Kubernetes for. They kill a process that outgrows its container. Immutable.
 */
final class MemoryOverheadCheck {
  private final SparkConf spark;
  private final MooringConf mooring;

  MemoryOverheadCheck(SparkConf spark, MooringConf mooring) {
    this.spark = spark;
    this.mooring = mooring;
  }

  /** The warning that executors will log; empty when all fits or nothing limits the process. */
  Optional<String> warning() {
    SparkExecutorMemory asked = new SparkExecutorMemory(spark);
    SparkShare share = asked.share();
    if (!mooring.get(MooringConf.ENABLED) || share.container().isEmpty()) {
      return Optional.empty();
    }
    ExecutorMemory memory =
        new ExecutorMemory(
            share.container().getAsLong(), true, asked.heap(), share.besideHeap(), 1);
    return Optional.of(PoolSizing.of(mooring, memory).warning()).filter(it -> !it.isEmpty());
  }
}
