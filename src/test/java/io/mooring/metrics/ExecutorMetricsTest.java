package io.mooring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.mooring.parquet.unit.ScanCounters;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutorMetricsTest {
  private final MetricRegistry registry = new MetricRegistry();

  @AfterEach
  void stopFollowing() {
    ScanCounters.observe((counter, amount) -> {});
  }

  @Test
  void everyCounterOfAScanIsShown() {
    assertThat(Arrays.stream(PlanMetric.values()).map(PlanMetric::counter))
        .containsExactlyInAnyOrder(ScanCounters.Counter.values());
  }

  @Test
  void countersAndTimersFollowTheScansOfTheProcess() {
    ExecutorMetrics.register(registry);
    ScanCounters first = new ScanCounters();
    ScanCounters second = new ScanCounters();
    first.add(ScanCounters.Counter.BYTES_READ, 100);
    second.add(ScanCounters.Counter.BYTES_READ, 20);
    first.add(ScanCounters.Counter.DECODE_TIME, TimeUnit.SECONDS.toNanos(3));
    second.add(ScanCounters.Counter.DECODE_TIME, TimeUnit.SECONDS.toNanos(1));
    assertThat(registry.counter("scan.bytesRead").getCount()).isEqualTo(120);
    Timer decode = registry.timer("scan.decode");
    assertThat(decode.getCount()).isEqualTo(2);
    assertThat(decode.getSnapshot().getMax()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
    first.requested(4096, 3);
    second.requested(4096, 9);
    assertThat(registry.counter("scan.requests").getCount()).isEqualTo(2);
    assertThat(registry.histogram("scan.requestsAtOnce").getSnapshot().getMax()).isEqualTo(9);
    assertThat(registry.getGauges())
        .hasSize(PoolGauge.values().length + CacheGauge.values().length);
  }
}
