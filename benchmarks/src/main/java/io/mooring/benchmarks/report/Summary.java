package io.mooring.benchmarks.report;

import io.mooring.benchmarks.stats.Sample;
import io.mooring.benchmarks.stats.Welch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every figure of a report, computed from its rows; warm-up runs are left out.
 *
 * @param cells one per query, task count and arm
 * @param comparisons each arm against the base arm of the same query and task count
 */
public record Summary(List<Cell> cells, List<Comparison> comparisons) {

  /**
   * The runs of one query under one arm.
   *
   * @param seconds wall-clock seconds of a run
   * @param bytesPerSecond bytes of the files, over the median seconds
   */
  public record Cell(
      String query, String arm, int tasks, String engine, Sample seconds, double bytesPerSecond) {}

  /**
   * Two arms at the same query and task count.
   *
   * @param ratio median seconds of the base over median seconds of the arm: above 1, the arm wins
   * @param p two-sided p value of Welch's test on the seconds; null with fewer than two runs each
   */
  public record Comparison(
      String query, int tasks, String base, String arm, double ratio, Double p) {}

  private record Key(String query, int tasks, String arm) {}

  /** Summarises rows; arms are compared with {@code base} where it was measured. */
  public static Summary of(List<Run> runs, String base) {
    Map<Key, List<Run>> groups = new LinkedHashMap<>();
    for (Run run : runs) {
      if (!run.warmUp()) {
        Key key = new Key(run.query(), run.tasks(), run.arm());
        groups.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
      }
    }
    List<Cell> cells = new ArrayList<>();
    List<Comparison> comparisons = new ArrayList<>();
    groups.forEach(
        (key, group) -> {
          cells.add(cell(key, group));
          List<Run> other = groups.get(new Key(key.query(), key.tasks(), base));
          if (other != null && !key.arm().equals(base)) {
            comparisons.add(compare(key, seconds(other), seconds(group), base));
          }
        });
    return new Summary(cells, comparisons);
  }

  /** The figures of one query under one arm, when it was measured. */
  public Optional<Cell> cell(String query, String arm, int tasks) {
    return cells.stream()
        .filter(c -> c.query().equals(query) && c.arm().equals(arm) && c.tasks() == tasks)
        .findFirst();
  }

  /** How one arm compares with the base, when both were measured. */
  public Optional<Comparison> comparison(String query, String arm, int tasks) {
    return comparisons.stream()
        .filter(c -> c.query().equals(query) && c.arm().equals(arm) && c.tasks() == tasks)
        .findFirst();
  }

  private static Cell cell(Key key, List<Run> group) {
    Sample sample = Sample.of(seconds(group));
    Run first = group.get(0);
    String engine =
        group.stream().map(Run::engine).distinct().count() == 1 ? first.engine() : "mixed";
    return new Cell(
        key.query(), key.arm(), key.tasks(), engine, sample, first.bytes() / sample.median());
  }

  private static Comparison compare(Key key, List<Double> base, List<Double> arm, String name) {
    double ratio = Sample.of(base).median() / Sample.of(arm).median();
    return new Comparison(
        key.query(), key.tasks(), name, key.arm(), ratio, Welch.pValue(base, arm));
  }

  private static List<Double> seconds(List<Run> runs) {
    return runs.stream().map(Run::seconds).toList();
  }
}
