package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.report.Json;
import io.mooring.benchmarks.report.RecordedArguments;
import io.mooring.benchmarks.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The origin of a report, and differences of two origins that readers must know of. */
final class ReportOrigin {

  private ReportOrigin() {}

  /** A side as the configuration of the comparison tells it. */
  static Map<String, Object> of(ReportSide side) {
    Report report = side.report();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("report", RecordedArguments.name(side.path().toAbsolutePath()));
    all.put("command", String.join(" ", report.arguments()));
    all.put("startedAt", report.startedAt());
    all.put("status", report.status());
    all.put("environment", report.environment());
    return all;
  }

  /** Differences of machine and version, and interruptions, one sentence each. */
  static List<String> differences(ReportSide a, ReportSide b) {
    List<String> all = new ArrayList<>();
    for (ReportSide side : a.isAlone() ? List.of(a) : List.of(a, b)) {
      if (side.report().status().equals(Report.INTERRUPTED)) {
        all.add(
            (side.label() + " the report was interrupted: its runs so far are compared").strip());
      }
    }
    Map<?, ?> first = facts(a.report().environment());
    Map<?, ?> second = facts(b.report().environment());
    first.forEach(
        (name, value) -> {
          if (!Objects.equals(value, second.get(name))) {
            all.add("%s: %s in A, %s in B".formatted(name, value, second.get(name)));
          }
        });
    return all;
  }

  private static Map<?, ?> facts(Environment environment) {
    return Json.REPORT.convertValue(environment, Map.class);
  }
}
