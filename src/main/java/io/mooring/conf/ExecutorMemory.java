package io.mooring.conf;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The memory limit of an executor, and what takes memory before the pool does. In bytes. Immutable.
 *
 * @param limit most memory that the process may use
 * @param isContainer whether the limit is a container's: the system ends a process that exceeds it
 * @param heap the maximum size of the Java heap
 * @param spark memory that Spark's settings reserve beside the heap: off-heap memory, Python
 * @param executors how many processes like this one may share the limit
 */
public record ExecutorMemory(
    long limit, boolean isContainer, long heap, long spark, int executors) {
  /**
   * Memory that a JVM, libcudf and the CUDA driver take beside a heap of any size: classes,
   * compiled code and its compiler, stacks, network buffers, the CUDA context. Processes with full
   * heaps of 1 and 8 GiB that also ran Spark's driver stayed within a limit that leaves this much;
   * without a limit they peaked at 483 and 561 MiB.
   */
  private static final long LEAST_OWN = 448L << 20;

  /** The tables of the G1 collector take one part in so many of the heap, and others take less. */
  private static final int COLLECTOR_SHARE = 32;

  /**
   * The memory of this process.
   *
   * @param executors how many processes like this one the host may run
   */
  public static ExecutorMemory ofThisProcess(SparkShare spark, int executors) {
    return of(MachineLimits.ofThisMachine(), spark, executors);
  }

  static ExecutorMemory of(MachineLimits machine, SparkShare spark, int executors) {
    // YARN may enforce a limit that the process cannot see, so the smaller of both limits counts.
    OptionalLong container =
        Stream.of(machine.containerLimit(), spark.container())
            .flatMapToLong(OptionalLong::stream)
            .min();
    long limit = container.orElseGet(machine::memory);
    return new ExecutorMemory(
        limit, container.isPresent(), maxHeap(), spark.besideHeap(), executors);
  }

  /** Not Runtime.maxMemory, which leaves out a part of the heap under some collectors. */
  private static long maxHeap() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return hotSpot == null
        ? Runtime.getRuntime().maxMemory()
        : Long.parseLong(hotSpot.getVMOption("MaxHeapSize").getValue());
  }

  /** Memory that the JVM and CUDA take beside the heap. */
  public long own() {
    return LEAST_OWN + heap / COLLECTOR_SHARE;
  }

  /**
   * Memory for the pool and its pageable fallback, if {@code sharing} processes share the limit.
   */
  long room(int sharing) {
    return Math.max(0, limit / sharing - heap - spark - own());
  }

  /**
   * The memory of an executor by Spark's settings, in bytes. Immutable.
   *
   * @param besideHeap memory that Spark uses beside the heap: its off-heap memory, Python
   * @param container the memory that Spark requests from a cluster manager which ends processes
   *     above it; empty where no manager does
   */
  public record SparkShare(long besideHeap, OptionalLong container) {
    /** The share of a process about which Spark's settings say nothing. */
    public static final SparkShare NONE = new SparkShare(0, OptionalLong.empty());
  }
}
