package io.mooring.benchmarks.report;

import io.mooring.benchmarks.report.LineChart.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The charts of a report. Queries over several numbers of tasks are drawn over those; queries whose
 * names are alike up to a comma, such as {@code ready, 1g} and {@code ready, 2g}, over their bytes.
 */
record Charts(Summary summary) {

  List<LineChart> all() {
    Map<String, List<Summary.Cell>> families = new LinkedHashMap<>();
    for (Summary.Cell cell : summary.cells()) {
      families.computeIfAbsent(family(cell), name -> new ArrayList<>()).add(cell);
    }
    List<LineChart> charts = new ArrayList<>();
    families.forEach((name, cells) -> charts.add(chart(name, cells)));
    return charts.stream().filter(chart -> chart != null).toList();
  }

  /** Rates keep their name: several of them are alike up to a comma, but not over bytes. */
  private static String family(Summary.Cell cell) {
    int comma = cell.query().indexOf(',');
    return comma < 0 || cell.operationsPerSecond() != null
        ? cell.query()
        : cell.query().substring(0, comma);
  }

  private static LineChart chart(String name, List<Summary.Cell> cells) {
    boolean overBytes = cells.stream().map(Summary.Cell::query).distinct().count() > 1;
    boolean overTasks = cells.stream().map(Summary.Cell::tasks).distinct().count() > 1;
    boolean counted = cells.stream().allMatch(cell -> cell.operationsPerSecond() != null);
    if (overBytes) {
      return new LineChart(
          name,
          "GiB",
          "seconds",
          true,
          points(cells, c -> c.bytes() / (1L << 30), c -> c.seconds().median()));
    } else if (counted) {
      return overTasks
          ? new LineChart(
              name,
              "threads",
              "million a second",
              true,
              points(cells, Summary.Cell::tasks, c -> c.operationsPerSecond() / 1e6))
          : null;
    }
    return new LineChart(
        name,
        "concurrent tasks",
        "GB/s",
        false,
        points(cells, Summary.Cell::tasks, c -> c.bytesPerSecond() / 1e9));
  }

  private static List<Point> points(
      List<Summary.Cell> cells,
      ToDoubleFunction<Summary.Cell> x,
      ToDoubleFunction<Summary.Cell> y) {
    return cells.stream()
        .map(cell -> new Point(cell.arm(), x.applyAsDouble(cell), y.applyAsDouble(cell)))
        .toList();
  }
}
