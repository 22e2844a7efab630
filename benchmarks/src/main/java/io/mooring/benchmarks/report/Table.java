package io.mooring.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows under headings, from which both the printed and the HTML table come. */
record Table(List<String> headings, List<List<String>> rows) {

  /** Every table with figures: what was compared, then what was measured. */
  static Map<String, Table> figures(Report report) {
    Map<String, Table> all = new LinkedHashMap<>(compared(report));
    all.putAll(measured(report.summary()));
    all.putAll(queries(report));
    return all;
  }

  /** The tables over all queries of {@code scan}, without those that would be empty. */
  static Map<String, Table> queries(Report report) {
    Map<String, Table> all = new LinkedHashMap<>();
    if (report.command().equals("scan")) {
      all.put("Rows", ScanRows.table(report.runs()));
      all.put("All queries", GeometricMeans.table(report.summary()));
    }
    all.values().removeIf(table -> table.rows().isEmpty());
    return all;
  }

  /** The tables of a comparison by their headings, without those that would be empty. */
  static Map<String, Table> compared(Report report) {
    Map<String, Table> all = new LinkedHashMap<>();
    all.put("Differences", DifferenceTables.differences(report.differences()));
    all.put("False alarms", DifferenceTables.selfChecks(report.selfChecks()));
    all.values().removeIf(table -> table.rows().isEmpty());
    return all;
  }

  /** The tables of measurements, likewise. */
  static Map<String, Table> measured(Summary summary) {
    Map<String, Table> all = new LinkedHashMap<>();
    all.put("Figures", summary(summary));
    all.put("Rates", RateTables.rates(summary));
    all.put("Counted", RateTables.counted(summary));
    all.values().removeIf(table -> table.rows().isEmpty());
    return all;
  }

  private static List<Summary.Cell> timed(Summary summary) {
    return summary.cells().stream().filter(cell -> cell.operationsPerSecond() == null).toList();
  }

  /** Every cell with a time beside its comparison with the base arm. */
  static Table summary(Summary summary) {
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

  static Table checks(List<Check> checks) {
    return new Table(
        List.of("check", "value", "bound", "verdict", "reason"),
        checks.stream()
            .map(
                c ->
                    List.of(
                        c.name(),
                        Figures.plain(c.value()),
                        c.relation() + " " + Figures.plain(c.bound()),
                        c.verdict(),
                        c.reason()))
            .toList());
  }

  /** True when every cell of the column is a figure. */
  boolean isOfFigures(int column) {
    return rows.stream().allMatch(row -> isFigure(row.get(column)));
  }

  /** Figures stand to the right, words to the left. */
  static boolean isFigure(String cell) {
    return cell.equals("-")
        || cell.startsWith("< ")
        || (!cell.isEmpty() && Character.isDigit(cell.charAt(0)));
  }
}
