package io.mooring.benchmarks.report.chart;

import java.util.Locale;

/** Writes the shapes that charts are made of; lengths in units of the view box. */
public final class Svg {

  private final StringBuilder text = new StringBuilder();

  Svg(int width, int height, String label) {
    add(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
        width, height, escape(label));
  }

  /** A file of its own, of which every shape and colour stands in the file. */
  static Svg file(int width, int height, String label, String style) {
    Svg svg = new Svg(width, height, label);
    svg.text.insert("<svg".length(), " xmlns=\"http://www.w3.org/2000/svg\"");
    svg.add("<style>\n%s</style>\n", style);
    svg.add("<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", width, height);
    return svg;
  }

  void line(String style, double x1, double y1, double x2, double y2) {
    add("<path class=\"%s\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n", style, x1, y1, x2, y2);
  }

  /** {@code anchor}: which end of the text lies at x: start, middle or end. */
  void text(String anchor, double x, double y, String words) {
    add("<text text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", anchor, x, y, escape(words));
  }

  /** Adds text as {@link #text(String, double, double, String)} does, in a style of its own. */
  void text(String style, String anchor, double x, double y, String words) {
    add(
        "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
        style, anchor, x, y, escape(words));
  }

  /** Words from the bottom to the top. */
  void upwards(double x, double y, String words) {
    add(
        "<text text-anchor=\"middle\" transform=\"translate(%.1f,%.1f)rotate(-90)\">%s</text>\n",
        x, y, escape(words));
  }

  /** A path around its own origin, with words that show where the pointer rests on it. */
  void marker(String style, String path, double x, double y, String words) {
    add(
        "<path class=\"marker %s\" transform=\"translate(%.1f,%.1f)\" d=\"%s\">"
            + "<title>%s</title></path>\n",
        style, x, y, path, escape(words));
  }

  String end() {
    return text + "</svg>\n";
  }

  private void add(String pattern, Object... values) {
    text.append(String.format(Locale.ROOT, pattern, values));
  }

  /** Text as XML and HTML need it. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
