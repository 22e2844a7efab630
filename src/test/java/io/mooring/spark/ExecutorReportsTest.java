package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.mooring.cache.CacheStats;
import io.mooring.conf.MooringConf;
import io.mooring.memory.PinnedPool;
import io.mooring.report.DriverGauge;
import io.mooring.report.ExecutorReport;
import io.mooring.report.PoolSnapshot;
import io.mooring.session.GpuAvailability;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.LiveListenerBus;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExecutorReportsTest {
  private final MetricRegistry registry = new MetricRegistry();
  // A bus that is not started drops nothing and delivers nothing.
  private final ExecutorReports reports =
      new ExecutorReports(
          new LiveListenerBus(new SparkConf(false)), new StatusLog(MooringConf.from(Map.of())));

  @BeforeEach
  void register() {
    GpuAvailability.clearReports();
    reports.register(registry);
  }

  @AfterEach
  void clear() {
    GpuAvailability.clearReports();
  }

  private static ExecutorReport report(String executor, String device) {
    PoolSnapshot pool = PoolSnapshot.of(PinnedPool.stats(), CacheStats.NONE);
    String problem = device.isEmpty() ? "no GPU" : "";
    return new ExecutorReport(executor, 0, device, problem, 1 << 30, 5, pool, List.of());
  }

  private void remove(String executor) {
    reports.onExecutorRemoved(new SparkListenerExecutorRemoved(0, executor, "idle"));
  }

  private long gauge(DriverGauge gauge) {
    return (Long) registry.getGauges().get(gauge.info().key()).getValue();
  }

  @Test
  void gauges_countTheExecutorsThatRun() {
    reports.add(report("1", "GPU 0"));
    reports.add(report("1", "GPU 0"));
    reports.add(report("2", ""));
    assertThat(gauge(DriverGauge.EXECUTORS)).isEqualTo(2);
    assertThat(gauge(DriverGauge.WITHOUT_GPU)).isEqualTo(1);
    remove("2");
    remove("3");
    assertThat(gauge(DriverGauge.EXECUTORS)).isEqualTo(1);
    assertThat(gauge(DriverGauge.WITHOUT_GPU)).isZero();
  }

  @Test
  void gauges_leaveOutAReportThatComesTooLate() {
    reports.add(report("1", ""));
    remove("1");
    reports.add(report("1", ""));
    assertThat(gauge(DriverGauge.EXECUTORS)).isZero();
  }
}
