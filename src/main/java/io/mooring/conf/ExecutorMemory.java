package io.mooring.conf;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The memory of an executor, and what of it is spoken for before the pool. Bytes. Immutable.
 *
 * @param limit what the process may use
 * @param isContainer the limit is a container's, past which the system ends the process
 * @param heap what the Java heap may take
 * @param spark what Spark keeps beside the heap by its own settings: its off-heap memory, Python
 * @param executors how many processes like this one may share the limit
 */
public record ExecutorMemory(
    long limit, boolean isContainer, long heap, long spark, int executors) {
  /**
   * Memory that a JVM, libcudf and the CUDA driver take beside a heap of any size: classes,
   * compiled code and its compiler, stacks, network buffers, the CUDA context. Processes with full
   * heaps of 1 and 8 GiB, the driver's part of Spark among it, lived under limits that leave so
   * much; without a limit they took up to 483 and 561 MiB for a moment.
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
    // YARN counts what a process takes, and need not tell it: the smaller of both is the limit.
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
   * @param besideHeap what Spark keeps beside the heap: its off-heap memory, Python
   * @param container what Spark asks a cluster manager for that ends processes which take more;
   *     empty where none does
   */
  public record SparkShare(long besideHeap, OptionalLong container) {
    /** The share of a process about which Spark's settings say nothing. */
    public static final SparkShare NONE = new SparkShare(0, OptionalLong.empty());
  }
}
