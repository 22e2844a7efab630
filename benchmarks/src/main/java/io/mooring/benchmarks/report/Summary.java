package io.mooring.benchmarks.report;

import io.mooring.benchmarks.stats.Sample;
import io.mooring.benchmarks.stats.Welch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

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
   * @param operationsPerSecond median of the runs; null when the runs count no operations
   * @param metrics medians of the runs' metrics, by name; empty when the runs have none
   */
  public record Cell(
      String query,
      String arm,
      int tasks,
      String engine,
      Sample seconds,
      double bytesPerSecond,
      Double operationsPerSecond,
      Map<String, Double> metrics) {

    /** Bytes that a run is for; 0 when it is for none. */
    public double bytes() {
      return bytesPerSecond * seconds.median();
    }
  }

  /**
   * Two arms at the same query and task count.
   *
   * @param ratio median seconds of the base over median seconds of the arm, or the rate of the arm
   *     over that of the base: above 1, the arm wins
   * @param p two-sided p value of Welch's test on the seconds, or on the rates, of their {@link
   *     Samples}; null with fewer than two each
   */
  public record Comparison(
      String query, int tasks, String base, String arm, double ratio, Double p) {}

  private record Key(String query, int tasks, String arm) {}

  /** Summarises rows; arms are compared with {@code base} where it was measured. */
  public static Summary of(List<Run> runs, String base) {
    return of(runs, List.of(base));
  }

  /** Summarises rows; arms are compared with the first of the bases that was measured. */
  public static Summary of(List<Run> runs, List<String> bases) {
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
          bases.stream()
              .filter(base -> groups.containsKey(new Key(key.query(), key.tasks(), base)))
              .findFirst()
              .filter(base -> !key.arm().equals(base))
              .map(base -> compare(key, groups, base))
              .ifPresent(comparisons::add);
        });
    return new Summary(cells, comparisons);
  }

  /** The figures of one query under one arm, when it was measured. */
  public Optional<Cell> cell(String query, String arm, int tasks) {
    return cells.stream()
        .filter(c -> c.query().equals(query) && c.arm().equals(arm) && c.tasks() == tasks)
        .findFirst();
  }

  /** The comparison of one arm with the base, when both were measured. */
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
    boolean counted = group.stream().allMatch(run -> run.operations() > 0);
    return new Cell(
        key.query(),
        key.arm(),
        key.tasks(),
        engine,
        sample,
        first.bytes() / sample.median(),
        counted ? median(group, Summary::rate) : null,
        counted ? medians(group) : Map.of());
  }

  private static Map<String, Double> medians(List<Run> group) {
    Map<String, List<Double>> values = new TreeMap<>();
    for (Run run : group) {
      run.metrics()
          .forEach((k, v) -> values.computeIfAbsent(k, n -> new ArrayList<>()).add((double) v));
    }
    Map<String, Double> medians = new TreeMap<>();
    values.forEach((name, all) -> medians.put(name, Sample.of(all).median()));
    return medians;
  }

  private static Comparison compare(Key key, Map<Key, List<Run>> groups, String base) {
    List<Run> other = groups.get(new Key(key.query(), key.tasks(), base));
    List<Run> mine = groups.get(key);
    boolean counted =
        Stream.concat(other.stream(), mine.stream()).allMatch(run -> run.operations() > 0);
    ToDoubleFunction<Run> figure = counted ? Summary::rate : Run::seconds;
    double ratio = median(other, figure) / median(mine, figure);
    Samples.Unit unit = Samples.unit(other, mine);
    Double p =
        Welch.pValue(
            Samples.of(other, unit).figures(figure), Samples.of(mine, unit).figures(figure));
    return new Comparison(
        key.query(), key.tasks(), base, key.arm(), counted ? 1 / ratio : ratio, p);
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> figure) {
    return Sample.of(runs.stream().map(figure::applyAsDouble).toList()).median();
  }

  private static double rate(Run run) {
    return run.operations() / run.seconds();
  }

  private static List<Double> seconds(List<Run> runs) {
    return runs.stream().map(Run::seconds).toList();
  }
}
