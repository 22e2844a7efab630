package io.mooring.benchmarks.report.page;

import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.StageBreakdown;
import io.mooring.benchmarks.report.chart.Svg;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The stages of each query under each arm as one bar a stage, drawn by the browser. */
public final class StageBars {

  private StageBars() {}

  /** The bars of the runs with the most tasks; nothing where no run tells of stages. */
  public static String html(List<Run> runs) {
    List<StageBreakdown.Cell> cells = StageBreakdown.of(runs);
    int most = cells.stream().mapToInt(StageBreakdown.Cell::tasks).max().orElse(0);
    StringBuilder html = new StringBuilder();
    cells.stream()
        .filter(cell -> cell.tasks() == most)
        .forEach(
            cell -> {
              String title = cell.query() + ", " + cell.arm() + ", " + most + " tasks";
              html.append("<p>").append(Svg.escape(title)).append("</p>\n");
              cell.stages().shares().entrySet().forEach(share -> html.append(bar(share)));
            });
    return html.toString();
  }

  private static String bar(Map.Entry<String, Double> share) {
    double percent = Math.min(100, 100 * share.getValue());
    return String.format(
        Locale.ROOT,
        "<div class=\"stage\"><span>%s %.0f %%</span><i style=\"width:%.1f%%\"></i></div>%n",
        share.getKey(),
        percent,
        percent / 2);
  }
}
