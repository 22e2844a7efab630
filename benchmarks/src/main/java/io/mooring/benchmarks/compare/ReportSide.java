package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One side of a comparison: a report, and where to find it.
 *
 * @param label {@code A} or {@code B}, and part of the arms' names; empty within one report
 * @param path as the user named it
 */
record ReportSide(String label, Path path, Report report) {

  /** A query at a task count. */
  record Key(String query, int tasks) {}

  /** The measured runs of an arm, without those that warmed up, in the order in which they ran. */
  Map<Key, List<Run>> runs(String arm) {
    Map<Key, List<Run>> all = new LinkedHashMap<>();
    for (Run run : report.runs()) {
      if (!run.warmUp() && run.arm().equals(arm)) {
        all.computeIfAbsent(new Key(run.query(), run.tasks()), key -> new ArrayList<>()).add(run);
      }
    }
    return all;
  }

  /** The arms of the report, in the order in which they first ran. */
  List<String> arms() {
    return report.runs().stream().map(Run::arm).distinct().toList();
  }

  /** True when both sides are this report. */
  boolean isAlone() {
    return label.isEmpty();
  }

  /** The name of the arm in the comparison. */
  String nameOf(String arm) {
    return isAlone() ? arm : label + ": " + arm;
  }
}
