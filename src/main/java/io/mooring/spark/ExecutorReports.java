package io.mooring.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.mooring.report.DriverGauge;
import io.mooring.report.ExecutorReport;
import io.mooring.session.GpuAvailability;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.scheduler.LiveListenerBus;

/** The last report of each executor of a running application. Thread-safe. */
final class ExecutorReports {
  private final LiveListenerBus bus;
  private final StatusLog status;
  private final Map<String, ExecutorReport> last = new ConcurrentHashMap<>();

  ExecutorReports(LiveListenerBus bus, StatusLog status) {
    this.bus = bus;
    this.status = status;
  }

  /** Keeps a report, and passes it on to the UI and the event log. */
  void add(ExecutorReport report) {
    last.put(report.executor(), report);
    GpuAvailability.report(report.executor(), report.problem());
    status.add(report);
    bus.post(report);
  }

  /** Registers gauges over all executors, for deployments that collect no metrics of executors. */
  void register(MetricRegistry registry) {
    for (DriverGauge gauge : DriverGauge.values()) {
      Gauge<Long> now = () -> last.values().stream().mapToLong(gauge::of).sum();
      registry.register(gauge.info().key(), now);
    }
  }

  /** Logs one line of advice at the end of the application. */
  void logAdvice() {
    status.advise(new TreeMap<>(last).values());
  }
}
