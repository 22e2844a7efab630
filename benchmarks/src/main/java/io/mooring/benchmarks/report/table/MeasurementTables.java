package io.mooring.benchmarks.report.table;

import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tables of measurements: times, rates with their latencies, and what was counted. */
final class MeasurementTables {

  private static final List<String> LATENCIES =
      List.of("p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns");
  private static final List<String> ABOUT_LATENCIES = List.of("samples");

  private MeasurementTables() {}

  /** Times of all cells beside their comparison with the base arm. */
  static Table times(Summary summary) {
    List<List<String>> rows = new ArrayList<>();
    for (Summary.Cell cell : timed(summary)) {
      var versus = summary.comparison(cell.query(), cell.arm(), cell.tasks());
      rows.add(
          List.of(
              cell.query(),
              Integer.toString(cell.tasks()),
              cell.arm(),
              cell.engine(),
              Integer.toString(cell.seconds().n()),
              Figures.seconds(cell.seconds().median()),
              Figures.interval(cell.seconds()),
              Figures.seconds(cell.seconds().sd()),
              Figures.seconds(cell.seconds().min()),
              cell.bytesPerSecond() > 0 ? Figures.gigabytesPerSecond(cell.bytesPerSecond()) : "-",
              Figures.ratio(versus.map(Summary.Comparison::ratio).orElse(null)),
              Figures.p(versus.map(Summary.Comparison::p).orElse(null))));
    }
    String base =
        summary.comparisons().stream().map(Summary.Comparison::base).findFirst().orElse("the base");
    return new Table(
        List.of(
            "query",
            "tasks",
            "arm",
            "engine",
            "n",
            "median s",
            "geometric mean s, 95 % CI",
            "sd",
            "min s",
            "GB/s",
            "faster than " + base,
            "Welch p"),
        rows);
  }

  /** Millions of operations per second beside the comparison with the base arm, and latencies. */
  static Table rates(Summary summary) {
    List<List<String>> rows = new ArrayList<>();
    for (Summary.Cell cell : counting(summary)) {
      var versus = summary.comparison(cell.query(), cell.arm(), cell.tasks());
      List<String> row = new ArrayList<>();
      row.add(cell.query());
      row.add(Integer.toString(cell.tasks()));
      row.add(cell.arm());
      row.add(Integer.toString(cell.seconds().n()));
      row.add(Figures.millionsPerSecond(cell.operationsPerSecond()));
      row.add(versus.map(c -> Figures.ratio(c.ratio()) + " " + c.base()).orElse("-"));
      row.add(Figures.p(versus.map(Summary.Comparison::p).orElse(null)));
      LATENCIES.forEach(name -> row.add(Figures.whole(cell.metrics().get(name))));
      rows.add(row);
    }
    return new Table(
        List.of(
            "query",
            "tasks",
            "arm",
            "n",
            "M/s, median",
            "rate over",
            "Welch p",
            "p50 ns",
            "p90",
            "p99",
            "p99.9",
            "max"),
        rows);
  }

  /** The medians of everything else. */
  static Table counted(Summary summary) {
    List<List<String>> rows = new ArrayList<>();
    for (Summary.Cell cell : counting(summary)) {
      for (Map.Entry<String, Double> metric : cell.metrics().entrySet()) {
        if (isWorthARow(metric)) {
          rows.add(
              List.of(
                  cell.query(),
                  Integer.toString(cell.tasks()),
                  cell.arm(),
                  metric.getKey(),
                  Figures.plain(metric.getValue())));
        }
      }
    }
    return new Table(List.of("query", "tasks", "arm", "what", "median"), rows);
  }

  private static List<Summary.Cell> timed(Summary summary) {
    return summary.cells().stream().filter(cell -> cell.operationsPerSecond() == null).toList();
  }

  private static List<Summary.Cell> counting(Summary summary) {
    return summary.cells().stream().filter(cell -> cell.operationsPerSecond() != null).toList();
  }

  private static boolean isWorthARow(Map.Entry<String, Double> metric) {
    String name = metric.getKey();
    boolean nothingRefused = name.equals("refused") && metric.getValue() == 0;
    return !LATENCIES.contains(name) && !ABOUT_LATENCIES.contains(name) && !nothingRefused;
  }
}
