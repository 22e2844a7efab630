package io.mooring.benchmarks.report.table;

import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables of a report by their titles, without those that would be empty. */
public final class ReportTables {

  private ReportTables() {}

  /** All tables for the console; then checks and notes. Each line is ended. */
  public static String console(Report report) {
    StringBuilder text = new StringBuilder("\n");
    Map<String, Table> compared = compared(report);
    Map<String, Table> first = compared.isEmpty() ? measured(report.summary()) : compared;
    first.values().forEach(table -> text.append(table.text()).append('\n'));
    queries(report).values().forEach(table -> text.append(table.text()).append('\n'));
    Table stages = QueryTables.stages(report.runs());
    if (!stages.rows().isEmpty()) {
      text.append(stages.text()).append('\n');
    }
    text.append(checks(report.checks()).text());
    report.shownNotes().forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  /** The tables with figures: first of comparisons, then of measurements. */
  public static Map<String, Table> figures(Report report) {
    Map<String, Table> all = new LinkedHashMap<>(compared(report));
    all.putAll(measured(report.summary()));
    all.putAll(queries(report));
    return all;
  }

  private static Map<String, Table> queries(Report report) {
    Map<String, Table> all = new LinkedHashMap<>();
    if (report.command().equals("scan")) {
      all.put("Rows", QueryTables.outputRows(report.runs()));
      all.put("Exchanges", QueryTables.exchanges(report.runs()));
      all.put("Store", StoreTable.of(report.runs()));
      all.put("All queries", QueryTables.geometricMeans(report.summary()));
    }
    return withoutEmpty(all);
  }

  private static Map<String, Table> compared(Report report) {
    Map<String, Table> all = new LinkedHashMap<>();
    all.put("Differences", DifferenceTables.differences(report.differences()));
    all.put("False alarms", DifferenceTables.selfChecks(report.selfChecks()));
    return withoutEmpty(all);
  }

  static Map<String, Table> measured(Summary summary) {
    Map<String, Table> all = new LinkedHashMap<>();
    all.put("Figures", MeasurementTables.times(summary));
    all.put("Rates", MeasurementTables.rates(summary));
    all.put("Counted", MeasurementTables.counted(summary));
    return withoutEmpty(all);
  }

  private static Map<String, Table> withoutEmpty(Map<String, Table> tables) {
    tables.values().removeIf(table -> table.rows().isEmpty());
    return tables;
  }

  /** The checks and their verdicts. */
  public static Table checks(List<Check> checks) {
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
}
