package io.mooring.benchmarks.report.chart;

import io.mooring.benchmarks.report.Resource;
import io.mooring.benchmarks.report.table.Figures;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One picture of several reports, as an SVG file that stands alone: a row for each query, a marker
 * for each arm at its median, a line from the fastest to the slowest run, and how many times as
 * long the other arms take as the first one.
 *
 * @param arms first the one that the others are compared with
 * @param labels what readers call an arm or a query, where that is not its name
 * @param sections from top to bottom; each with one query at least
 */
record QueryTimesChart(List<String> arms, Map<String, String> labels, List<ChartSection> sections) {

  private static final int WIDTH = 880;
  private static final int TOP = 64;
  private static final int ROW = 24;
  private static final int HEADING = 34;
  private static final int FOOT = 46;
  private static final int RATIO = 104;
  private static final int MARGIN = 14;
  private static final double LETTER = 6.7;

  /** The text of the file. */
  String svg() throws IOException {
    AxisScale scale =
        AxisScale.around(sections.stream().flatMap(ChartSection::seconds).toList(), false, true);
    Svg svg = Svg.file(WIDTH, height(), "Seconds of each query, by engine", style());
    legend(svg);
    ratioHeadings(svg);
    axis(svg, scale);
    double y = TOP;
    for (ChartSection section : sections) {
      y += HEADING;
      svg.text("source", "start", MARGIN, y - 10, section.source());
      for (String query : section.queries().keySet()) {
        row(svg, scale, section, query, y + ROW / 2.0);
        y += ROW;
      }
    }
    return svg.end();
  }

  private static String style() throws IOException {
    return Resource.text(QueryTimesChart.class, "chart.css");
  }

  private int height() {
    int rows = sections.stream().mapToInt(section -> section.queries().size()).sum();
    return TOP + sections.size() * HEADING + rows * ROW + FOOT;
  }

  private String label(String name) {
    return labels.getOrDefault(name, name);
  }

  private double left() {
    int longest =
        sections.stream()
            .flatMap(section -> section.queries().keySet().stream())
            .mapToInt(query -> label(query).length())
            .max()
            .orElse(0);
    return MARGIN + 16 + longest * LETTER;
  }

  private double right() {
    return WIDTH - MARGIN - (arms.size() - 1.0) * RATIO;
  }

  private double place(AxisScale scale, double seconds) {
    return left() + scale.at(seconds) * (right() - left());
  }

  private void legend(Svg svg) {
    double x = MARGIN + 8;
    for (String arm : arms) {
      svg.marker(series().style(arm), series().marker(arm), x, 20, label(arm));
      svg.text("start", x + 12, 24, label(arm));
      x += 44 + label(arm).length() * LETTER;
    }
  }

  private void ratioHeadings(Svg svg) {
    for (int i = 1; i < arms.size(); i++) {
      double x = right() + i * RATIO;
      svg.marker(
          series().style(arms.get(i)),
          series().marker(arms.get(i)),
          x - 52,
          50,
          label(arms.get(i)));
      svg.text("faint", "middle", x - 40, 54, "/");
      svg.marker(
          series().style(arms.get(0)),
          series().marker(arms.get(0)),
          x - 28,
          50,
          label(arms.get(0)));
    }
  }

  private void axis(Svg svg, AxisScale scale) {
    double bottom = height() - FOOT + 8.0;
    for (double tick : scale.ticks()) {
      svg.line("grid", place(scale, tick), TOP, place(scale, tick), bottom);
      svg.text("middle", place(scale, tick), bottom + 15, AxisScale.text(tick));
    }
    svg.text(
        "middle",
        (left() + right()) / 2,
        bottom + 32,
        "seconds, median and range of runs (logarithmic; left is faster)");
  }

  private void row(Svg svg, AxisScale scale, ChartSection section, String query, double y) {
    svg.text("end", left() - 16, y + 4, label(query));
    for (String arm : arms) {
      List<Double> runs = section.queries().get(query).get(arm);
      if (runs != null) {
        String style = series().style(arm);
        double median = section.median(query, arm);
        double from = place(scale, Collections.min(runs));
        svg.line("line " + style, from, y, place(scale, Collections.max(runs)), y);
        String words = label(query) + ", " + label(arm) + ": " + Figures.seconds(median) + " s";
        svg.marker(style, series().marker(arm), place(scale, median), y, words);
      }
    }
    ratios(svg, section, query, y);
  }

  private void ratios(Svg svg, ChartSection section, String query, double y) {
    Double first = section.median(query, arms.get(0));
    for (int i = 1; i < arms.size(); i++) {
      Double other = section.median(query, arms.get(i));
      if (first != null && other != null) {
        double ratio = other / first;
        String text = String.format(Locale.ROOT, ratio < 1 ? "%.2fx" : "%.1fx", ratio);
        svg.text(ratio < 1 ? "slower" : "faster", "middle", right() + i * RATIO - 40, y + 4, text);
      }
    }
  }

  private ArmStyles series() {
    return new ArmStyles(arms);
  }
}
