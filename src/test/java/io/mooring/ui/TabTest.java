package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.metrics.CacheGauge;
import io.mooring.metrics.ExecutorMetrics;
import io.mooring.metrics.PlanMetric;
import io.mooring.metrics.PoolGauge;
import io.mooring.report.DriverGauge;
import io.mooring.report.ExecutorReport;
import io.mooring.testing.RequiresGpu;
import io.mooring.ui.ApplicationRun.Where;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One application, seen in its live UI, its metrics, its event log and a history server. */
@Tag("extended")
@Tag("forked")
class TabTest {
  private static final String HOSTILE = ApplicationRun.HOSTILE;
  private static final String HOSTILE_COLUMN = ApplicationRun.HOSTILE_COLUMN;

  @TempDir static Path folder;
  private static ApplicationRun run;

  @BeforeAll
  static void runAnApplicationAndReplayIt() throws Exception {
    run = ApplicationRun.in(folder);
  }

  @ParameterizedTest
  @EnumSource
  void thePoolOfEachExecutorIsShown(Where where) {
    assertThat(run.page(where))
        .contains("Pool capacity", "64 MiB", "EXHAUSTED: ", "100 MiB", "<svg", "NUMA node");
    if (!RequiresGpu.Condition.gpuIsThere()) {
      assertThat(run.page(where)).contains("no GPU: there is no usable GPU (");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatDidNotRunOnTheGpuIsShownWithTheReason(Where where) {
    assertThat(run.page(where))
        .contains(
            "column " + Markup.text(HOSTILE_COLUMN) + " has type ARRAY&lt;INTERVAL DAY&gt;</div>")
        .contains("BatchScan mooring")
        .contains("href=\"../SQL/execution/?id=");
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(run.page(where)).contains(PlanMetric.GPU_FILES.label());
    } else {
      assertThat(run.page(where))
          .containsPattern("there is no usable GPU \\([^<]* of such splits, file:")
          .contains(Markup.text(PlanMetric.CPU_FILES.label() + ": ").toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingFromOutsideBecomesMarkup(Where where) {
    assertThat(run.page(where))
        .contains(Markup.text(HOSTILE).toString())
        .doesNotContain(HOSTILE)
        .doesNotContain(HOSTILE_COLUMN)
        // The folder of the files is shown and is no element.
        .contains("onerror=")
        .doesNotContain("<img src=x");
  }

  @ParameterizedTest
  @EnumSource
  void aBrowserShowsTheTab(Where where) {
    assumeTrue(run.dom(where).isPresent(), "there is no Chromium on the path");
    assertThat(run.dom(where).get())
        .containsPattern("<li class=\"[^\"]*active[^\"]*\">\\s*<a [^>]*mooring[^>]*>Mooring</a>")
        .contains("<p id=\"mooring-advice\"><strong>Advice: </strong>the pinned pool")
        .contains("<polyline points=")
        .contains("&lt;script&gt;alert('mooring')&lt;/script&gt;")
        .doesNotContain(HOSTILE);
  }

  @Test
  void theAdviceIsLoggedAtTheEndAndShown() {
    List<String> advice =
        run.logged().stream().filter(it -> it.startsWith("Mooring's advice: ")).toList();
    assertThat(advice).hasSize(1);
    String line = advice.get(0).substring("Mooring's advice: ".length());
    assertThat(line)
        .contains("the pinned pool's peak was ", "EXHAUSTED ", "spark.mooring.pinnedPool.size=")
        .endsWith(" would have been enough");
    assertThat(run.page(Where.HISTORY)).contains("would have been enough</p>");
  }

  @Test
  void prometheusHasEveryMetricOfPoolAndScans() {
    List<String> keys = new ArrayList<>();
    Stream.of(PoolGauge.values()).map(gauge -> gauge.info().key()).forEach(keys::add);
    Stream.of(CacheGauge.values()).map(gauge -> gauge.info().key()).forEach(keys::add);
    Stream.of(DriverGauge.values()).map(gauge -> gauge.info().key()).forEach(keys::add);
    Stream.of(PlanMetric.values()).map(ExecutorMetrics::key).forEach(keys::add);
    for (String key : keys) {
      assertThat(run.prometheus())
          .containsPattern(inPrometheus(key) + "_(Value|Count)\\{[^}]*} \\d");
    }
    assertThat(run.prometheus())
        .containsPattern(
            inPrometheus("pool.capacityBytes") + "_Value\\{[^}]*} " + (64 << 20) + "\\n")
        .containsPattern(inPrometheus("pool.fallbackCount") + "_Value\\{[^}]*} [1-9]");
    String read = RequiresGpu.Condition.gpuIsThere() ? "scan.gpuFiles" : "scan.cpuFiles";
    assertThat(run.prometheus()).containsPattern(inPrometheus(read) + "_Count\\{[^}]*} [1-9]");
  }

  private static String inPrometheus(String key) {
    return "plugin_io_mooring_spark_MooringPlugin_" + key.replace('.', '_');
  }

  @Test
  void whatTasksCountedIsInTheEventLog() {
    PlanMetric metric =
        RequiresGpu.Condition.gpuIsThere() ? PlanMetric.GPU_FILES : PlanMetric.CPU_FILES;
    List<String> ends =
        run.eventLog().lines().filter(it -> it.contains("\"SparkListenerTaskEnd\"")).toList();
    assertThat(ends)
        .anyMatch(it -> it.matches(".*\"Name\":\"" + metric.label() + "\",\"Update\":\"[1-9].*"));
  }

  @Test
  void aHistoryServerThatDoesNotKnowTheEventsShowsTheRest() {
    assertThat(run.eventLog()).contains("{\"Event\":\"" + ExecutorReport.class.getName() + "\"");
    assertThat(run.strangerPage()).contains("Completed Jobs").doesNotContain("Mooring</a>");
  }
}
