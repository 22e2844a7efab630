package io.mooring.benchmarks.report.page;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.mooring.benchmarks.report.Run;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** runs.csv: one row a run, one column more for each metric that any run has. */
final class RunsCsv {

  private static final List<String> COLUMNS =
      List.of(
          "query",
          "arm",
          "tasks",
          "process",
          "round",
          "warm_up",
          "engine",
          "seconds",
          "bytes",
          "operations",
          "started_at");

  private RunsCsv() {}

  static String text(List<Run> runs) throws IOException {
    Set<String> metrics = new TreeSet<>();
    runs.forEach(run -> metrics.addAll(run.metrics().keySet()));
    StringWriter text = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(text)) {
      List<String> header = new ArrayList<>(COLUMNS);
      metrics.forEach(name -> header.add("metric: " + name));
      csv.writeRecord(header);
      runs.forEach(run -> csv.writeRecord(row(run, metrics)));
    }
    return text.toString();
  }

  private static List<String> row(Run run, Set<String> metrics) {
    List<String> row = new ArrayList<>(COLUMNS.size() + metrics.size());
    row.add(run.query());
    row.add(run.arm());
    row.add(Integer.toString(run.tasks()));
    row.add(Integer.toString(run.process()));
    row.add(Integer.toString(run.round()));
    row.add(Boolean.toString(run.warmUp()));
    row.add(run.engine());
    row.add(Double.toString(run.seconds()));
    row.add(Long.toString(run.bytes()));
    row.add(Long.toString(run.operations()));
    row.add(run.startedAt());
    for (String name : metrics) {
      Long value = run.metrics().get(name);
      row.add(value == null ? "" : value.toString());
    }
    return row;
  }
}
