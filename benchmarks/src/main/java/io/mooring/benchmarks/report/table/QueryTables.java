package io.mooring.benchmarks.report.table;

import io.mooring.benchmarks.report.GeometricMeans;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.StageBreakdown;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** Tables over all queries of {@code scan}: rows, means and stages. */
public final class QueryTables {

  /** Metric of every scan and stage, summed over a query. */
  private static final String ROWS = "numOutputRows";

  private QueryTables() {}

  /**
   * Rows that left the scans of a query, or the stages in their place: what Spark's own operators
   * had to work on. With the RAPIDS Accelerator they are what its scans gave to its own operators
   * on the GPU. A query a row, an arm a column; the most of all its runs.
   */
  static Table outputRows(List<Run> runs) {
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
    most.forEach((query, counts) -> rows.add(outputRow(query, counts, arms)));
    return new Table(headings, rows);
  }

  private static List<String> outputRow(String query, Map<String, Long> counts, Set<String> arms) {
    List<String> row = new ArrayList<>(List.of(query));
    arms.forEach(arm -> row.add(counts.containsKey(arm) ? counts.get(arm).toString() : "-"));
    return row;
  }

  /** An arm a row: its mean, the sum of its medians, and its mean over that of each other arm. */
  static Table geometricMeans(Summary summary) {
    Set<String> arms = new LinkedHashSet<>();
    Set<Integer> tasks = new LinkedHashSet<>();
    for (Summary.Cell cell : summary.cells()) {
      arms.add(cell.arm());
      tasks.add(cell.tasks());
    }
    List<String> headings =
        new ArrayList<>(List.of("tasks", "arm", "queries", "geometric mean s", "sum s"));
    arms.forEach(arm -> headings.add("time / " + arm));
    List<List<String>> rows = new ArrayList<>();
    for (int number : tasks) {
      GeometricMeans means = new GeometricMeans(summary, number);
      arms.stream()
          .filter(arm -> means.medians(arm).size() > 1)
          .forEach(arm -> rows.add(meansRow(means, arm, arms)));
    }
    return new Table(headings, rows);
  }

  private static List<String> meansRow(GeometricMeans means, String arm, Set<String> arms) {
    Collection<Double> medians = means.medians(arm).values();
    double logarithms = medians.stream().mapToDouble(Math::log).average().orElseThrow();
    List<String> row = new ArrayList<>(List.of(Integer.toString(means.tasks()), arm));
    row.add(Integer.toString(medians.size()));
    row.add(Figures.seconds(Math.exp(logarithms)));
    row.add(Figures.seconds(medians.stream().mapToDouble(Double::doubleValue).sum()));
    for (String base : arms) {
      OptionalDouble ratio = means.ratio(arm, base, query -> true);
      row.add(arm.equals(base) || ratio.isEmpty() ? "-" : Figures.exactRatio(ratio.getAsDouble()));
    }
    return row;
  }

  /** The shares of the stages; no rows where no run tells of stages. */
  public static Table stages(List<Run> runs) {
    List<String> headings = new ArrayList<>(List.of("query", "tasks", "arm"));
    List<List<String>> rows = new ArrayList<>();
    for (StageBreakdown.Cell cell : StageBreakdown.of(runs)) {
      if (rows.isEmpty()) {
        cell.stages().shares().keySet().forEach(stage -> headings.add(stage + " %"));
        headings.add("bottleneck");
      }
      List<String> row = new ArrayList<>();
      row.add(cell.query());
      row.add(Integer.toString(cell.tasks()));
      row.add(cell.arm());
      cell.stages().shares().values().forEach(share -> row.add(Figures.whole(100 * share)));
      row.add(cell.stages().bottleneck());
      rows.add(row);
    }
    return new Table(headings, rows);
  }
}
