package io.mooring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.metrics.CacheGauge;
import io.mooring.metrics.PlanMetric;
import io.mooring.metrics.PoolGauge;
import io.mooring.report.DriverGauge;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TuningDocTest {
  private static final int METRIC = 1;
  private static final int SETTING = 2;

  @Test
  void metricsAndSettingsOfThePageExist() throws IOException {
    Set<String> metrics = new HashSet<>(Set.of("io.mooring.report.ExecutorReport"));
    Stream.of(PlanMetric.values()).map(PlanMetric::label).forEach(metrics::add);
    Stream.of(PoolGauge.values()).map(gauge -> gauge.info().key()).forEach(metrics::add);
    Stream.of(CacheGauge.values()).map(gauge -> gauge.info().key()).forEach(metrics::add);
    Stream.of(DriverGauge.values()).map(gauge -> gauge.info().key()).forEach(metrics::add);
    List<String> settings = MooringConf.ENTRIES.stream().map(ConfEntry::key).toList();
    List<List<String>> rows =
        Page.of("tuning.md").rows().stream()
            .dropWhile(row -> !row.get(0).equals("symptom"))
            .skip(1)
            .toList();
    assertThat(rows).hasSizeGreaterThan(10);
    for (List<String> row : rows) {
      assertThat(metrics).containsAll(Page.quoted(row.get(METRIC)));
      assertThat(settings).containsAll(Page.quoted(row.get(SETTING)));
      assertThat(Page.quoted(row.get(METRIC))).as(row.get(0)).isNotEmpty();
      assertThat(Page.quoted(row.get(SETTING))).as(row.get(0)).isNotEmpty();
    }
  }
}
