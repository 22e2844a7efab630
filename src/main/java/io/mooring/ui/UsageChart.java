package io.mooring.ui;

import io.mooring.metrics.MetricUnit;
import io.mooring.ui.ExecutorHistory.UsageSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** A pool over time as a small drawing: in use, the most so far, and the capacity. */
final class UsageChart {
  private static final int WIDTH = 260;
  private static final int HEIGHT = 56;

  private final List<UsageSample> usage;
  private final long from;
  private final double perMilli;
  private final double perByte;

  private UsageChart(List<UsageSample> usage) {
    this.usage = usage;
    this.from = usage.get(0).time();
    long until = usage.get(usage.size() - 1).time();
    long top =
        usage.stream()
            .mapToLong(it -> Math.max(it.capacity(), it.highWaterMark()))
            .max()
            .getAsLong();
    this.perMilli = (double) WIDTH / Math.max(1, until - from);
    this.perByte = (HEIGHT - 2.0) / Math.max(1, top);
  }

  static Markup of(List<UsageSample> usage) {
    if (usage.size() < 2) {
      return Markup.text("not enough reports yet");
    }
    UsageChart chart = new UsageChart(usage);
    List<String> frame =
        List.of(
            "width",
            String.valueOf(WIDTH),
            "height",
            String.valueOf(HEIGHT),
            "viewBox",
            "0 0 " + WIDTH + " " + HEIGHT,
            "role",
            "img");
    return Markup.element(
        "svg",
        frame,
        Markup.element("title", Markup.text(chart.words())),
        chart.area(),
        chart.line(UsageSample::capacity, "#999999", "4 3"),
        chart.line(UsageSample::highWaterMark, "#d9822b", "none"));
  }

  private String words() {
    UsageSample last = usage.get(usage.size() - 1);
    return String.format(
        Locale.ROOT,
        "%d reports over %d s; in use %s, at most %s, capacity %s",
        usage.size(),
        (last.time() - from) / 1000,
        MetricUnit.BYTES.show(last.inUse()),
        MetricUnit.BYTES.show(last.highWaterMark()),
        MetricUnit.BYTES.show(last.capacity()));
  }

  private Markup area() {
    String points = "0," + HEIGHT + " " + points(UsageSample::inUse) + " " + WIDTH + "," + HEIGHT;
    return Markup.element("polygon", List.of("points", points, "fill", "#7eb3e6"));
  }

  private Markup line(ToLongFunction<UsageSample> of, String colour, String dashes) {
    List<String> look =
        List.of("points", points(of), "fill", "none", "stroke", colour, "stroke-dasharray", dashes);
    return Markup.element("polyline", look);
  }

  /** A line of steps: executors report changes, so each value holds until the next report. */
  private String points(ToLongFunction<UsageSample> of) {
    List<String> points = new ArrayList<>();
    double y = HEIGHT - of.applyAsLong(usage.get(0)) * perByte;
    for (UsageSample it : usage) {
      double x = (it.time() - from) * perMilli;
      points.add(point(x, y));
      y = HEIGHT - of.applyAsLong(it) * perByte;
      points.add(point(x, y));
    }
    return String.join(" ", points);
  }

  private static String point(double x, double y) {
    return String.format(Locale.ROOT, "%.1f,%.1f", x, y);
  }
}
