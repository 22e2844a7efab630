package io.mooring.benchmarks.report.chart;

import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import java.util.List;

/** The arms of a report in their order: each has one colour and one marker on the whole page. */
public record ArmStyles(List<String> arms) {

  /** Colours in report.css. */
  static final int COLOURS = 10;

  private static final List<String> MARKERS =
      List.of(
          "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0z",
          "M-3.6,-3.6h7.2v7.2h-7.2z",
          "M0,-4.6L4.4,3.4H-4.4z",
          "M0,-5L5,0L0,5L-5,0z");

  public static ArmStyles of(Report report) {
    return new ArmStyles(report.runs().stream().map(Run::arm).distinct().toList());
  }

  /** The class of an arm's strokes and fills. */
  public String style(String arm) {
    return "s" + Math.max(0, arms.indexOf(arm)) % COLOURS;
  }

  /** An SVG path around the origin. */
  public String marker(String arm) {
    return MARKERS.get(Math.max(0, arms.indexOf(arm)) % MARKERS.size());
  }
}
