package io.mooring.benchmarks.worker.jvm;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Processor time of this process over all threads, counted from a start. Immutable. */
public final class ProcessorTime {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final long before = SYSTEM.getProcessCpuTime();
  private final long collectedBefore = collectionMillis();

  private ProcessorTime() {}

  /** Starts counting. */
  public static ProcessorTime start() {
    return new ProcessorTime();
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  /**
   * {@code processorNanos}, {@code processors}: how many there are for this process, and {@code
   * collectionNanos}: what collecting garbage took of the wall clock.
   */
  public Map<String, Long> metrics() {
    return Map.of(
        "processorNanos",
        SYSTEM.getProcessCpuTime() - before,
        "processors",
        (long) Runtime.getRuntime().availableProcessors(),
        "collectionNanos",
        TimeUnit.MILLISECONDS.toNanos(collectionMillis() - collectedBefore));
  }
}
