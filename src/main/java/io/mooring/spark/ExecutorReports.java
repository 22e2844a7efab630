package io.mooring.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.mooring.report.DriverGauge;
import io.mooring.report.ExecutorReport;
import io.mooring.session.GpuAvailability;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.scheduler.LiveListenerBus;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/**
 * The last report of each executor that runs, and of those that were removed last. What a removed
 * one had does not count for planning or gauges: one without a GPU, or with a small one, would
 * decide how queries are planned as long as the application lives. Thread-safe.
 */
final class ExecutorReports extends SparkListener {
  // The number of dead executors that Spark's UI keeps.
  private static final int MOST_REMOVED = 100;

  private final LiveListenerBus bus;
  private final StatusLog status;
  private final Map<String, ExecutorReport> running = new HashMap<>();
  private final Map<String, ExecutorReport> removed =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ExecutorReport> eldest) {
          return size() > MOST_REMOVED;
        }
      };

  ExecutorReports(LiveListenerBus bus, StatusLog status) {
    this.bus = bus;
    this.status = status;
  }

  /** Keeps a report, and passes it on to the UI and the event log. */
  void add(ExecutorReport report) {
    keep(report);
    status.add(report);
    bus.post(report);
  }

  private synchronized void keep(ExecutorReport report) {
    String executor = report.executor();
    // The last report of an executor may come after the news that it is gone.
    if (removed.replace(executor, report) == null) {
      running.put(executor, report);
      GpuAvailability.report(executor, report.problem(), report.deviceBytes());
    }
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    String executor = event.executorId();
    ExecutorReport last = running.remove(executor);
    if (last != null) {
      removed.put(executor, last);
    }
    GpuAvailability.forget(executor);
  }

  /**
   * Registers gauges over all executors that run, for deployments that collect no metrics of
   * executors.
   */
  void register(MetricRegistry registry) {
    for (DriverGauge gauge : DriverGauge.values()) {
      Gauge<Long> now = () -> sum(gauge);
      registry.register(gauge.info().key(), now);
    }
  }

  private synchronized long sum(DriverGauge gauge) {
    return running.values().stream().mapToLong(gauge::of).sum();
  }

  /** Logs one line of advice at the end of the application. */
  synchronized void logAdvice() {
    Map<String, ExecutorReport> all = new TreeMap<>(removed);
    all.putAll(running);
    status.advise(all.values());
  }
}
