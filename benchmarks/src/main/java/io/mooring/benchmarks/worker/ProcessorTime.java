package io.mooring.benchmarks.worker;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;

/** What this process has taken of the processors since a moment, over all threads. Immutable. */
public final class ProcessorTime {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final long before = SYSTEM.getProcessCpuTime();

  private ProcessorTime() {}

  /** From now on. */
  public static ProcessorTime start() {
    return new ProcessorTime();
  }

  /** {@code processorNanos}, and {@code processors}: how many there are for this process. */
  public Map<String, Long> metrics() {
    return Map.of(
        "processorNanos",
        SYSTEM.getProcessCpuTime() - before,
        "processors",
        (long) Runtime.getRuntime().availableProcessors());
  }
}
