package io.mooring.benchmarks.report.chart;

import java.util.Comparator;
import java.util.List;

/**
 * One line per arm.
 *
 * @param title what was measured
 * @param x heading of the axis to the right
 * @param y heading of the axis upwards
 * @param logarithmic whether that axis is: for arms that lie orders of magnitude apart
 * @param points to draw
 */
public record LineChart(String title, String x, String y, boolean logarithmic, List<Point> points)
    implements Chart {

  /** A figure of one arm. */
  public record Point(String arm, double x, double y) {}

  private static final int WIDTH = 620;
  private static final int HEIGHT = 300;
  private static final int LEFT = 68;
  private static final int RIGHT = 604;
  private static final int TOP = 12;
  private static final int BOTTOM = 252;
  private static final double WIDE = 8;

  @Override
  public List<String> arms() {
    return points.stream().map(Point::arm).distinct().toList();
  }

  @Override
  public String svg(ArmStyles series) {
    AxisScale across = across();
    AxisScale up = AxisScale.around(points.stream().map(Point::y).toList(), true, logarithmic);
    Svg svg = new Svg(WIDTH, HEIGHT, title + ": " + y + " over " + x + ", per arm");
    axes(svg, across, up);
    for (String arm : arms()) {
      List<Point> line =
          points.stream()
              .filter(point -> point.arm().equals(arm))
              .sorted(Comparator.comparingDouble(Point::x))
              .toList();
      draw(svg, series, line, across, up);
    }
    return svg.end();
  }

  /** Numbers of tasks or bytes that double again and again lie at even distances. */
  private AxisScale across() {
    List<Double> values = values();
    double low = values.get(0);
    double high = values.get(values.size() - 1);
    boolean doubling = low > 0 && high / low >= WIDE;
    // From the first to the last: the axis names each of them, and needs no 0.
    return low < high ? new AxisScale(low, high, doubling) : AxisScale.around(values, true, false);
  }

  private List<Double> values() {
    return points.stream().map(Point::x).distinct().sorted().toList();
  }

  private void axes(Svg svg, AxisScale across, AxisScale up) {
    for (double tick : up.ticks()) {
      svg.line("grid", LEFT, height(up, tick), RIGHT, height(up, tick));
      svg.text("end", LEFT - 8, height(up, tick) + 4, AxisScale.text(tick));
    }
    for (double tick : values()) {
      svg.line("grid", place(across, tick), BOTTOM, place(across, tick), BOTTOM + 4);
      svg.text("middle", place(across, tick), BOTTOM + 19, AxisScale.text(tick));
    }
    svg.text("middle", (LEFT + RIGHT) / 2.0, HEIGHT - 8, x);
    svg.upwards(14, (TOP + BOTTOM) / 2.0, y);
  }

  private static void draw(
      Svg svg, ArmStyles series, List<Point> line, AxisScale across, AxisScale up) {
    String style = series.style(line.get(0).arm());
    for (int i = 0; i < line.size(); i++) {
      Point end = line.get(i);
      if (i > 0) {
        Point start = line.get(i - 1);
        svg.line(
            "line " + style,
            place(across, start.x()),
            height(up, start.y()),
            place(across, end.x()),
            height(up, end.y()));
      }
    }
    for (Point p : line) {
      String words =
          "%s: %s at %s".formatted(p.arm(), AxisScale.text(p.y()), AxisScale.text(p.x()));
      svg.marker(style, series.marker(p.arm()), place(across, p.x()), height(up, p.y()), words);
    }
  }

  private static double place(AxisScale scale, double value) {
    return LEFT + 16 + scale.at(value) * (RIGHT - LEFT - 32);
  }

  private static double height(AxisScale scale, double value) {
    return BOTTOM - scale.at(value) * (BOTTOM - TOP);
  }
}
