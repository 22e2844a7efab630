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

/** Tables over all queries of {@code scan}: rows, exchanges, means and stages. */
public final class QueryTables {

  /** Metric of every scan and stage, summed over a query. */
  private static final String ROWS = "numOutputRows";

  /** Ends of the headings, by metric, in the order of the columns. */
  private static final Map<String, String> EXCHANGES = new LinkedHashMap<>();

  static {
    EXCHANGES.put("shuffleExchanges", ", shuffles");
    EXCHANGES.put("broadcastExchanges", ", broadcasts");
  }

  private record Column(String metric, String arm) {}

  private QueryTables() {}

  /**
   * Rows out of the scans of a query, or out of the stages that replace them: the input of Spark's
   * own operators. For the RAPIDS Accelerator it is the input of its operators on the GPU. One row
   * for each query, one column for each arm; each cell is the maximum over the runs.
   */
  static Table outputRows(List<Run> runs) {
    return maxima(runs, "rows out of scans and stages", Map.of(ROWS, ""));
  }

  /**
   * Exchanges of the plan with which a query ended, without those that reuse another: shuffles of
   * all arms, then broadcasts. No rows for reports of earlier versions, which do not tell.
   */
  static Table exchanges(List<Run> runs) {
    return maxima(runs, "exchanges", EXCHANGES);
  }

  /**
   * The largest value of each metric in the runs of a query. A query a row; for each metric, an arm
   * a column.
   *
   * @param metrics what follows the arm's name in the heading, by metric
   */
  private static Table maxima(List<Run> runs, String heading, Map<String, String> metrics) {
    Map<String, Map<Column, Long>> maxima = maximaByQuery(runs, metrics.keySet());
    Set<String> arms = new LinkedHashSet<>();
    maxima.values().forEach(counts -> counts.keySet().forEach(column -> arms.add(column.arm())));
    List<String> headings = new ArrayList<>(List.of(heading));
    List<Column> columns = new ArrayList<>();
    metrics.forEach(
        (metric, suffix) -> {
          arms.forEach(arm -> headings.add(arm + suffix));
          arms.forEach(arm -> columns.add(new Column(metric, arm)));
        });
    List<List<String>> rows = new ArrayList<>();
    maxima.forEach((query, counts) -> rows.add(row(query, counts, columns)));
    return new Table(headings, rows);
  }

  private static Map<String, Map<Column, Long>> maximaByQuery(List<Run> runs, Set<String> metrics) {
    Map<String, Map<Column, Long>> maxima = new LinkedHashMap<>();
    for (Run run : runs) {
      for (String metric : metrics) {
        Long count = run.metrics().get(metric);
        if (count != null && !run.warmUp()) {
          maxima
              .computeIfAbsent(run.query(), query -> new LinkedHashMap<>())
              .merge(new Column(metric, run.arm()), count, Math::max);
        }
      }
    }
    return maxima;
  }

  private static List<String> row(String query, Map<Column, Long> counts, List<Column> columns) {
    List<String> row = new ArrayList<>(List.of(query));
    columns.forEach(c -> row.add(counts.containsKey(c) ? counts.get(c).toString() : "-"));
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
