package io.mooring.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rows that left the scans of a query, or the stages in their place: what Spark's own operators had
 * to work on. Of the peer they are the rows that its scans gave to its own operators on the GPU.
 */
final class ScanRows {

  /** Metric of every scan and stage, summed over a query. */
  private static final String ROWS = "numOutputRows";

  private ScanRows() {}

  /** A query a row, an arm a column; the most of all its runs. */
  static Table table(List<Run> runs) {
    Set<String> arms = new LinkedHashSet<>();
    Map<String, Map<String, Long>> most = new LinkedHashMap<>();
    for (Run run : runs) {
      Long rows = run.metrics().get(ROWS);
      if (rows != null && !run.warmUp()) {
        arms.add(run.arm());
        most.computeIfAbsent(run.query(), query -> new LinkedHashMap<>())
            .merge(run.arm(), rows, Math::max);
      }
    }
    List<String> headings = new ArrayList<>(List.of("rows out of scans and stages"));
    headings.addAll(arms);
    List<List<String>> rows = new ArrayList<>();
    most.forEach((query, counts) -> rows.add(row(query, counts, arms)));
    return new Table(headings, rows);
  }

  private static List<String> row(String query, Map<String, Long> counts, Set<String> arms) {
    List<String> row = new ArrayList<>(List.of(query));
    arms.forEach(arm -> row.add(counts.containsKey(arm) ? counts.get(arm).toString() : "-"));
    return row;
  }
}
