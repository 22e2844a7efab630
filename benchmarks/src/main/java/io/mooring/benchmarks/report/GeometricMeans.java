package io.mooring.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
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
}
