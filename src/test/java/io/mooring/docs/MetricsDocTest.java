package io.mooring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.memory.FallbackCause;
import io.mooring.metrics.CacheGauge;
import io.mooring.metrics.ExecutorMetrics;
import io.mooring.metrics.MetricInfo;
import io.mooring.metrics.PlanMetric;
import io.mooring.metrics.PoolGauge;
import io.mooring.metrics.StageMetric;
import io.mooring.report.DriverGauge;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class MetricsDocTest {
  @Test
  void theTablesAreWhatTheCodeSays() throws IOException {
    Page page = Page.of("metrics.md");
    Page expected =
        page.with("plan", plan())
            .with("stages", stages())
            .with("executor", executor())
            .with("driver", driver());
    if ("1".equals(System.getenv("MOORING_UPDATE_DOCS"))) {
      Files.writeString(page.file(), expected.text());
    }
    assertThat(page.file()).hasContent(expected.text());
  }

  @Test
  void everyCauseOfAFallbackIsExplained() throws IOException {
    Page page = Page.of("metrics.md");
    for (FallbackCause cause : FallbackCause.values()) {
      assertThat(page.rows()).anyMatch(row -> row.get(0).equals("`" + cause + "`"));
    }
  }

  private static String plan() {
    StringBuilder table = new StringBuilder("| label | name | unit | meaning |\n");
    table.append("| --- | --- | --- | --- |\n");
    for (PlanMetric metric : PlanMetric.values()) {
      String name = "`" + metric.key() + "`";
      table.append(row("`" + metric.label() + "`", name, metric.unit().symbol(), metric.meaning()));
    }
    return table.toString();
  }

  private static String stages() {
    StringBuilder table = new StringBuilder("| node | label | name | unit | meaning |\n");
    table.append("| --- | --- | --- | --- | --- |\n");
    for (StageMetric metric : StageMetric.values()) {
      table.append(
          row(
              "`" + metric.node().label() + "`",
              "`" + metric.label() + "`",
              "`" + metric.key() + "`",
              metric.unit().symbol(),
              metric.meaning()));
    }
    return table.toString();
  }

  private static String executor() {
    StringBuilder table = table();
    for (PoolGauge gauge : PoolGauge.values()) {
      table.append(row(gauge.info()));
    }
    for (CacheGauge gauge : CacheGauge.values()) {
      table.append(row(gauge.info()));
    }
    for (PlanMetric metric : PlanMetric.values()) {
      String name = "`" + ExecutorMetrics.key(metric) + "`";
      String kind =
          switch (metric.unit()) {
            case NANOSECONDS, MILLISECONDS, LONGEST -> "timer";
            case PEAK -> "histogram";
            case COUNT, BYTES -> "counter";
          };
      table.append(row(name, kind, metric.unit().symbol(), metric.meaning()));
    }
    return table.toString();
  }

  private static String driver() {
    StringBuilder table = table();
    for (DriverGauge gauge : DriverGauge.values()) {
      table.append(row(gauge.info()));
    }
    return table.toString();
  }

  private static StringBuilder table() {
    return new StringBuilder("| name | kind | unit | meaning |\n| --- | --- | --- | --- |\n");
  }

  private static String row(MetricInfo gauge) {
    return row("`" + gauge.key() + "`", "gauge", gauge.unit().symbol(), gauge.meaning());
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
