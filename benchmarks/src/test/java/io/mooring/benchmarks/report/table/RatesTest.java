package io.mooring.benchmarks.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.report.Reports;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.chart.ArmStyles;
import io.mooring.benchmarks.report.chart.Chart;
import io.mooring.benchmarks.report.chart.DotPlot;
import io.mooring.benchmarks.report.chart.LineChart;
import io.mooring.benchmarks.report.chart.ReportCharts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RatesTest {

  private final List<Run> runs = new ArrayList<>();
  private Summary summary;

  private void add(String query, String arm, int threads, long operations, long p50) {
    Map<String, Long> metrics = Map.of("p50_ns", p50, "lost", 5 * p50);
    runs.add(new Run(query, arm, threads, 1, 1, false, "gpu", 0.5, 0, operations, "", metrics));
  }

  @BeforeEach
  void measure() {
    for (int threads : List.of(1, 2)) {
      add("own", "slow", threads, 100_000, 3000);
      add("own", "fast", threads, 900_000, 20);
      add("own", "fast", threads, 1_100_000, 30);
      add("own", "fast", threads, 1_000_000, 25);
    }
    for (long gib : List.of(1L, 2L)) {
      runs.add(
          new Run(
              "ready, " + gib + "g",
              "slow",
              1,
              1,
              1,
              false,
              "gpu",
              gib,
              gib << 30,
              0,
              "",
              Map.of()));
    }
    summary = Summary.of(runs, List.of("absent", "slow", "fast"));
  }

  @Test
  void ratesAreMediansAndComparedWithTheFirstBaseThereIs() {
    Summary.Cell fast = summary.cell("own", "fast", 2).orElseThrow();
    assertThat(fast.operationsPerSecond()).isEqualTo(2e6, within(1e-6));
    assertThat(fast.metrics()).containsEntry("p50_ns", 25.0);
    Summary.Comparison comparison = summary.comparison("own", "fast", 2).orElseThrow();
    assertThat(comparison.base()).isEqualTo("slow");
    assertThat(comparison.ratio()).isEqualTo(10, within(1e-9));
    assertThat(summary.comparison("own", "slow", 2)).isEmpty();
  }

  @Test
  void ratesTimesAndCountsHaveTablesOfTheirOwn() {
    Map<String, Table> tables = ReportTables.measured(summary);
    assertThat(tables).containsOnlyKeys("Figures", "Rates", "Counted");
    assertThat(tables.get("Figures").rows()).hasSize(2);
    assertThat(tables.get("Rates").rows()).hasSize(4);
    assertThat(tables.get("Rates").rows().get(1)).contains("2.00", "10.00x slow", "25");
    assertThat(tables.get("Counted").rows()).contains(List.of("own", "1", "fast", "lost", "125"));
  }

  @Test
  void chartsAreOverThreadsOrOverBytes() {
    List<Chart> charts = new ReportCharts(Reports.of(runs, summary)).all();
    assertThat(charts).extracting(Chart::title).containsExactly("own", "ready");
    assertThat(((LineChart) charts.get(0)).points()).contains(new LineChart.Point("fast", 2, 2));
    assertThat(((LineChart) charts.get(1)).points())
        .containsExactly(new LineChart.Point("slow", 1, 1), new LineChart.Point("slow", 2, 2));
  }

  @Test
  void twoNumbersOfThreadsUseTheWidth() {
    runs.clear();
    add("own", "fast", 8, 900_000, 20);
    add("own", "fast", 16, 900_000, 20);
    Chart chart = new ReportCharts(Reports.of(runs, Summary.of(runs, "slow"))).all().get(0);
    List<Double> places =
        Pattern.compile("class=\"marker[^>]*translate\\(([\\d.]+),")
            .matcher(chart.svg(new ArmStyles(List.of("fast"))))
            .results()
            .map(found -> Double.valueOf(found.group(1)))
            .toList();
    assertThat(places).hasSize(2);
    assertThat(places.get(1) - places.get(0)).as("of 620").isGreaterThan(450);
  }

  @Test
  void whatIsOverNeitherStandsInRows() {
    List<Run> few =
        runs.stream().filter(run -> run.tasks() == 1 && run.bytes() <= 1 << 30).toList();
    List<Chart> charts = new ReportCharts(Reports.of(few, Summary.of(few, "slow"))).all();
    assertThat(charts).extracting(Chart::title).containsExactly("Times", "Rates");
    assertThat(((DotPlot) charts.get(1)).rows())
        .contains(new DotPlot.Row("own", "fast", 2, null, null));
  }
}
