package io.mooring.benchmarks.report.chart;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.chart.DotPlot.Row;
import io.mooring.benchmarks.report.chart.LineChart.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.TypeConversionException;

/**
 * The charts of a report. Queries over several numbers of tasks are drawn over those; queries whose
 * names are alike up to a comma, such as {@code ready, 1g} and {@code ready, 2g}, over their bytes;
 * all others in rows. A comparison has one chart: its ratios.
 */
public record ReportCharts(Report report) {

  private static final String TIMES = "Times";
  private static final String RATES = "Rates";

  public List<Chart> all() {
    if (!report.differences().isEmpty()) {
      return List.of(ratios());
    }
    Map<String, List<Summary.Cell>> families = new LinkedHashMap<>();
    for (Summary.Cell cell : report.summary().cells()) {
      families.computeIfAbsent(family(cell), name -> new ArrayList<>()).add(cell);
    }
    List<Chart> charts = new ArrayList<>();
    List<Summary.Cell> rest = new ArrayList<>();
    families.forEach(
        (name, cells) -> {
          if (isOver(cells, Summary.Cell::tasks) || isOver(cells, Summary.Cell::query)) {
            charts.add(lines(name, cells));
          } else {
            rest.addAll(cells);
          }
        });
    addRows(charts, rest);
    return charts;
  }

  /** Rates keep their name: several of them are alike up to a comma, but not over bytes. */
  private static String family(Summary.Cell cell) {
    int comma = cell.query().indexOf(',');
    return comma < 0 || isCounted(cell) ? cell.query() : cell.query().substring(0, comma);
  }

  private static boolean isCounted(Summary.Cell cell) {
    return cell.operationsPerSecond() != null;
  }

  private static <T> boolean isOver(List<Summary.Cell> cells, Function<Summary.Cell, T> what) {
    return cells.stream().map(what).distinct().count() > 1;
  }

  private static LineChart lines(String name, List<Summary.Cell> cells) {
    if (isOver(cells, Summary.Cell::query)) {
      var over = points(cells, c -> size(c) / (1L << 30), c -> c.seconds().median());
      return new LineChart(name, "GiB", "seconds", true, over);
    }
    if (cells.stream().allMatch(ReportCharts::isCounted)) {
      var rates = points(cells, Summary.Cell::tasks, c -> c.operationsPerSecond() / 1e6);
      return new LineChart(name, "threads", "million a second", true, rates);
    }
    var speeds = points(cells, Summary.Cell::tasks, c -> c.bytesPerSecond() / 1e9);
    return new LineChart(name, "concurrent tasks", "GB/s", false, speeds);
  }

  /** Bytes of a run; where it has none, such as the first buffer of a pool, those of its name. */
  private static double size(Summary.Cell cell) {
    if (cell.bytes() > 0) {
      return cell.bytes();
    }
    String name = cell.query().substring(cell.query().indexOf(',') + 1);
    try {
      return ByteSize.parse(name).bytes();
    } catch (TypeConversionException e) {
      return 0;
    }
  }

  private static List<Point> points(
      List<Summary.Cell> cells,
      ToDoubleFunction<Summary.Cell> x,
      ToDoubleFunction<Summary.Cell> y) {
    return cells.stream()
        .map(cell -> new Point(cell.arm(), x.applyAsDouble(cell), y.applyAsDouble(cell)))
        .toList();
  }

  private static void addRows(List<Chart> charts, List<Summary.Cell> cells) {
    List<Row> rates =
        cells.stream().filter(ReportCharts::isCounted).map(ReportCharts::rate).toList();
    List<Row> times =
        cells.stream().filter(cell -> !isCounted(cell)).map(ReportCharts::time).toList();
    if (!times.isEmpty()) {
      charts.add(new DotPlot(TIMES, "seconds, geometric mean and its 95 % interval", null, times));
    }
    if (!rates.isEmpty()) {
      charts.add(new DotPlot(RATES, "million a second, median", null, rates));
    }
  }

  private static Row time(Summary.Cell cell) {
    var seconds = cell.seconds();
    double middle = seconds.geometricMean() == null ? seconds.mean() : seconds.geometricMean();
    return new Row(cell.query(), cell.arm(), middle, seconds.ciLow(), seconds.ciHigh());
  }

  private static Row rate(Summary.Cell cell) {
    return new Row(cell.query(), cell.arm(), cell.operationsPerSecond() / 1e6, null, null);
  }

  private DotPlot ratios() {
    List<Row> rows =
        report.differences().stream()
            .map(
                d -> {
                  boolean sameArms = d.b().startsWith("B: ") && d.a().endsWith(d.b().substring(3));
                  String label = sameArms ? d.label() + ", " + d.b().substring(3) : d.label();
                  return new Row(label, d.verdict().toString(), d.ratio(), d.low(), d.high());
                })
            .toList();
    return new DotPlot("A / B", "above 1: B is better", 1.0, rows);
  }
}
