package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** An arm of A and the arm of B that it is compared with. */
record ArmPair(ReportSide a, ReportSide b, String armA, String armB) {

  /** Compares every query that both arms measured; adds to {@code notes} what is left out. */
  List<QueryComparison> contests(Metric metric, List<String> notes) {
    Map<ReportSide.Key, List<Run>> first = a.runs(armA);
    Map<ReportSide.Key, List<Run>> second = b.runs(armB);
    List<QueryComparison> contests = new ArrayList<>();
    first.forEach(
        (key, runs) -> {
          if (second.containsKey(key)) {
            contest(key, runs, second.get(key), metric, notes).ifPresent(contests::add);
          }
        });
    noteMissing(first, second, a.nameOf(armA), notes);
    noteMissing(second, first, b.nameOf(armB), notes);
    return contests;
  }

  private Optional<QueryComparison> contest(
      ReportSide.Key key, List<Run> a, List<Run> b, Metric metric, List<String> notes) {
    List<Run> x = a.stream().filter(run -> metric.of(run).isPresent()).toList();
    List<Run> y = b.stream().filter(run -> metric.of(run).isPresent()).toList();
    if (x.isEmpty() || y.isEmpty()) {
      notes.add(where(key) + " left out: its runs have no " + metric.name());
      return Optional.empty();
    }
    if (x.get(0).bytes() != y.get(0).bytes()) {
      notes.add(
          "%s: other data, %d bytes in %s and %d in %s"
              .formatted(where(key), x.get(0).bytes(), nameA(), y.get(0).bytes(), nameB()));
    }
    QueryComparison contest = QueryComparison.of(key, nameA(), nameB(), x, y, metric);
    if (contest.ratio().isEmpty()) {
      notes.add(
          where(key) + " cannot be tested: fewer than two samples, a figure of 0, or no spread");
    }
    return Optional.of(contest);
  }

  /** True when both arms ran with the same settings in one report: what differs is an alarm. */
  boolean isSelf() {
    return a.isAlone() && Objects.equals(settings(a, armA), settings(b, armB));
  }

  private String nameA() {
    return a.nameOf(armA);
  }

  private String nameB() {
    return b.nameOf(armB);
  }

  /** The settings of an arm where the report has them, else the arm's name. */
  private static Object settings(ReportSide side, String arm) {
    Report report = side.report();
    Object arms = report.configuration().get("arms");
    return arms instanceof Map<?, ?> map && map.containsKey(arm) ? map.get(arm) : arm;
  }

  private static void noteMissing(
      Map<ReportSide.Key, ?> has, Map<ReportSide.Key, ?> lacks, String only, List<String> notes) {
    has.keySet().stream()
        .filter(key -> !lacks.containsKey(key))
        .forEach(key -> notes.add(where(key) + " was measured only in " + only));
  }

  private static String where(ReportSide.Key key) {
    return "query %s, %d tasks".formatted(key.query(), key.tasks());
  }
}
