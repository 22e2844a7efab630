package io.mooring.benchmarks.report.chart;

import io.mooring.benchmarks.report.Difference.Verdict;
import io.mooring.benchmarks.report.table.Figures;
import java.util.List;
import java.util.stream.Stream;

/**
 * One row per query and arm, each with its figure and the interval that it is known to.
 *
 * @param title what was measured
 * @param x heading of the axis
 * @param reference a value that the others are held against, with a line of its own; may be null
 * @param rows from top to bottom; rows of one label stand together
 */
public record DotPlot(String title, String x, Double reference, List<Row> rows) implements Chart {

  /**
   * A figure.
   *
   * @param arm whose it is, or a {@link Verdict}
   * @param low lower end of the interval; null for none
   * @param high upper end of it
   */
  public record Row(String label, String arm, double value, Double low, Double high) {}

  private static final int WIDTH = 620;
  private static final int RIGHT = 600;
  private static final int TOP = 8;
  private static final int ROW = 18;
  private static final int GAP = 10;
  private static final int FOOT = 44;
  private static final double LETTER = 6.6;
  private static final int MOST_LEFT = 300;
  private static final double WIDE = 20;

  @Override
  public List<String> arms() {
    return rows.stream().map(Row::arm).distinct().toList();
  }

  @Override
  public String svg(ArmStyles series) {
    AxisScale scale = scale();
    Svg svg = new Svg(WIDTH, height(), title + ": " + x);
    axis(svg, scale);
    double y = TOP;
    String label = "";
    for (Row row : rows) {
      if (!row.label().equals(label)) {
        y += GAP;
        svg.text("end", left() - 12, y + ROW / 2.0 + 4, row.label());
        label = row.label();
      }
      draw(svg, series, scale, row, y + ROW / 2.0);
      y += ROW;
    }
    return svg.end();
  }

  private AxisScale scale() {
    List<Double> values =
        rows.stream()
            .flatMap(row -> Stream.of(row.value(), row.low(), row.high(), reference))
            .filter(value -> value != null)
            .toList();
    double low = values.stream().mapToDouble(v -> v).min().orElse(1);
    double high = values.stream().mapToDouble(v -> v).max().orElse(1);
    return AxisScale.around(values, reference == null, low > 0 && high / low > WIDE);
  }

  private int height() {
    long labels = rows.stream().map(Row::label).distinct().count();
    return (int) (TOP + rows.size() * ROW + labels * GAP + FOOT);
  }

  private double left() {
    int longest = rows.stream().mapToInt(row -> row.label().length()).max().orElse(0);
    return Math.min(MOST_LEFT, 24 + longest * LETTER);
  }

  private void axis(Svg svg, AxisScale scale) {
    double bottom = height() - FOOT + 6.0;
    for (double tick : scale.ticks()) {
      svg.line("grid", place(scale, tick), TOP, place(scale, tick), bottom);
      svg.text("middle", place(scale, tick), bottom + 15, AxisScale.text(tick));
    }
    if (reference != null) {
      svg.line("reference", place(scale, reference), TOP, place(scale, reference), bottom);
    }
    svg.text("middle", (left() + RIGHT) / 2, height() - 5.0, x);
  }

  private void draw(Svg svg, ArmStyles series, AxisScale scale, Row row, double y) {
    String style = series.arms().contains(row.arm()) ? series.style(row.arm()) : row.arm();
    String words = row.arm() + ": " + Figures.significant(row.value());
    if (row.low() != null && row.high() != null) {
      double low = place(scale, Math.max(row.low(), scale.low()));
      svg.line("line " + style, low, y, place(scale, row.high()), y);
      words += ", " + Figures.significant(row.low()) + " to " + Figures.significant(row.high());
    }
    svg.marker(style, series.marker(row.arm()), place(scale, row.value()), y, words);
  }

  private double place(AxisScale scale, double value) {
    return left() + scale.at(value) * (RIGHT - left());
  }
}
