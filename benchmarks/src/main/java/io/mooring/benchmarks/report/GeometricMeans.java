package io.mooring.benchmarks.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Geometric means over the queries that two arms have in common, of the medians of their runs: each
 * query counts the same, however long it takes.
 *
 * @param summary with the medians
 * @param tasks of the runs
 */
public record GeometricMeans(Summary summary, int tasks) {

  /**
   * The ratio of the times of two arms.
   *
   * @param chosen the queries that count
   * @return above 1 where {@code arm} takes longer; empty where the two have no such query in
   *     common
   */
  public OptionalDouble ratio(String arm, String base, Predicate<String> chosen) {
    Map<String, Double> mine = medians(arm);
    Map<String, Double> others = medians(base);
    OptionalDouble logarithms =
        mine.entrySet().stream()
            .filter(query -> others.containsKey(query.getKey()) && chosen.test(query.getKey()))
            .mapToDouble(query -> Math.log(query.getValue() / others.get(query.getKey())))
            .average();
    return logarithms.stream().map(Math::exp).findFirst();
  }

  /** Median seconds of an arm by query. */
  public Map<String, Double> medians(String arm) {
    Map<String, Double> medians = new LinkedHashMap<>();
    for (Summary.Cell cell : summary.cells()) {
      if (cell.arm().equals(arm) && cell.tasks() == tasks) {
        medians.put(cell.query(), cell.seconds().median());
      }
    }
    return medians;
  }

  /** An arm a row: its mean, the sum of its medians, and its mean over that of each other arm. */
  static Table table(Summary summary) {
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
          .forEach(arm -> rows.add(means.row(arm, arms)));
    }
    return new Table(headings, rows);
  }

  private List<String> row(String arm, Set<String> arms) {
    Collection<Double> medians = medians(arm).values();
    double logarithms = medians.stream().mapToDouble(Math::log).average().orElseThrow();
    List<String> row = new ArrayList<>(List.of(Integer.toString(tasks), arm));
    row.add(Integer.toString(medians.size()));
    row.add(Figures.seconds(Math.exp(logarithms)));
    row.add(Figures.seconds(medians.stream().mapToDouble(Double::doubleValue).sum()));
    for (String base : arms) {
      OptionalDouble ratio = ratio(arm, base, query -> true);
      row.add(arm.equals(base) || ratio.isEmpty() ? "-" : Figures.exactRatio(ratio.getAsDouble()));
    }
    return row;
  }
}
