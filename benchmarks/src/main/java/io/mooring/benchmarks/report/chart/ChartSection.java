package io.mooring.benchmarks.report.chart;

import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.stats.Sample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a {@link QueryTimesChart} that is drawn from one report: its measured runs at the
 * largest number of tasks.
 *
 * @param source name of the report, machine, commit, and how many runs each point stands for
 * @param queries seconds of every run, by query and then by arm, both in the order of the report
 */
record ChartSection(String source, Map<String, Map<String, List<Double>>> queries) {
  /** Digits of a commit that git shows. */
  private static final int ABBREVIATED = 12;

  /**
   * Collects the queries that at least two of the arms ran.
   *
   * @param name of the report, for readers who look for it
   * @param arms names of arms; others are left out
   * @param taken queries that another section shows already
   */
  static ChartSection of(
      String name, Report report, Collection<String> arms, Collection<String> taken) {
    int tasks = report.runs().stream().mapToInt(Run::tasks).max().orElse(0);
    Map<String, Map<String, List<Double>>> queries = new LinkedHashMap<>();
    report.runs().stream()
        .filter(run -> !run.warmUp() && run.tasks() == tasks)
        .filter(run -> arms.contains(run.arm()) && !taken.contains(run.query()))
        .forEach(
            run ->
                queries
                    .computeIfAbsent(run.query(), query -> new LinkedHashMap<>())
                    .computeIfAbsent(run.arm(), arm -> new ArrayList<>())
                    .add(run.seconds()));
    queries.values().removeIf(byArm -> byArm.size() < 2);
    return new ChartSection(source(name, report, tasks, queries), queries);
  }

  /** Median seconds of a query under an arm; null where it was not measured. */
  Double median(String query, String arm) {
    List<Double> seconds = queries.get(query).get(arm);
    return seconds == null ? null : Sample.of(seconds).median();
  }

  /** Seconds of all measured runs of the section. */
  Stream<Double> seconds() {
    return queries.values().stream()
        .flatMap(byArm -> byArm.values().stream())
        .flatMap(List::stream);
  }

  private static String source(
      String name, Report report, int tasks, Map<String, Map<String, List<Double>>> queries) {
    return Stream.of(
            name,
            gpus(report),
            report.environment().cores() + " cores, " + tasks + " tasks",
            "commit " + abbreviated(report.environment().commit()),
            runs(queries) + (report.status().equals(Report.COMPLETE) ? "" : ", interrupted"))
        .collect(Collectors.joining(" · "));
  }

  private static String abbreviated(String commit) {
    return commit.substring(0, Math.min(ABBREVIATED, commit.length()));
  }

  private static String gpus(Report report) {
    String names =
        report.environment().gpus().stream()
            .map(gpu -> gpu.name())
            .distinct()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "no GPU" : names;
  }

  private static String runs(Map<String, Map<String, List<Double>>> queries) {
    List<Integer> counts =
        queries.values().stream()
            .flatMap(byArm -> byArm.values().stream())
            .map(List::size)
            .sorted(Comparator.naturalOrder())
            .toList();
    if (counts.isEmpty()) {
      return "no runs";
    }
    int least = counts.get(0);
    int most = counts.get(counts.size() - 1);
    String range = least == most ? "" + most : least + " to " + most;
    return range + (most == 1 ? " run each" : " runs each");
  }
}
