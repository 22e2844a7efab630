package io.mooring.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.PlanMetric;
import java.util.Arrays;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.junit.jupiter.api.Test;

class ScanMetricsTest {
  private static CustomMetric metric(PlanMetric metric) {
    return Arrays.stream(ScanMetrics.all())
        .filter(it -> it.name().equals(metric.key()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyMetricHasAClassThatSparkCanMakeByName() throws ReflectiveOperationException {
    assertThat(ScanMetrics.all()).hasSize(PlanMetric.values().length);
    for (PlanMetric expected : PlanMetric.values()) {
      CustomMetric made =
          (CustomMetric)
              Class.forName(metric(expected).getClass().getName())
                  .getDeclaredConstructor()
                  .newInstance();
      assertThat(made.name()).isEqualTo(expected.key());
      assertThat(made.description()).isEqualTo(expected.label());
    }
  }

  @Test
  void sumsAreShownWithTheirUnits() {
    assertThat(metric(PlanMetric.GPU_FILES).aggregateTaskMetrics(new long[] {3, 4})).isEqualTo("7");
    assertThat(metric(PlanMetric.BYTES_READ).aggregateTaskMetrics(new long[] {2048}))
        .isEqualTo("2 KiB");
    assertThat(
            metric(PlanMetric.DECODE_TIME)
                .aggregateTaskMetrics(new long[] {3_000_000_000L, 1_000_000_000L}))
        .isEqualTo("4 s (at most 3 s in a task)");
    assertThat(metric(PlanMetric.REQUESTS_AT_ONCE).aggregateTaskMetrics(new long[] {3, 64, 5}))
        .isEqualTo("64");
    assertThat(
            metric(PlanMetric.FIRST_BYTES)
                .aggregateTaskMetrics(new long[] {90_000_000, 60_000_000}))
        .isEqualTo("90 ms");
    assertThat(metric(PlanMetric.CPU_FILES).aggregateTaskMetrics(new long[0])).isEqualTo("0");
  }
}
