package io.mooring.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** report.html: one self-contained page, light or dark as the reader's system asks. */
record HtmlPage(Report report) {

  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>%1$s</title>
      <style>
      %2$s</style>
      </head>
      <body>
      <h1>%1$s</h1>
      <p>%3$s</p>
      %4$s</body>
      </html>
      """;

  /** The page's text. */
  String html() throws IOException {
    String title = "Mooring: " + report.command();
    String facts = report.startedAt() + " · " + report.status() + " · schema " + report.schema();
    String body =
        notes()
            + section("Charts", charts())
            + section("Checks", table(Table.checks(report.checks())))
            + figures()
            + section("Machine", environment())
            + section("Configuration", configuration());
    return PAGE.formatted(escape(title), resource("report.css"), escape(facts), body);
  }

  private String notes() {
    return report.notes().stream()
        .map(note -> "<p class=\"note\">" + escape(note) + "</p>\n")
        .collect(Collectors.joining());
  }

  private String charts() {
    try {
      StringBuilder html = new StringBuilder("<div class=\"charts\">\n");
      for (LineChart chart : new Charts(report.summary()).all()) {
        html.append(picture(chart));
      }
      return html.append("</div>\n").toString();
    } catch (IOException | RuntimeException | LinkageError | InternalError e) {
      // A machine without fonts or libfreetype cannot draw; the data is the same.
      return "<p class=\"note\">No charts: this machine cannot draw text ("
          + escape(e.toString())
          + "). ./benchmarks/run report FOLDER draws them on another.</p>\n";
    }
  }

  private static String picture(LineChart chart) throws IOException {
    return "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\""
        + dataUri(chart.png(true))
        + "\"><img alt=\""
        + escape(chart.title() + ": " + chart.y() + " over " + chart.x())
        + ", per arm\" src=\""
        + dataUri(chart.png(false))
        + "\"></picture>\n";
  }

  private static String dataUri(byte[] png) {
    return "data:image/png;base64," + Base64.getEncoder().encodeToString(png);
  }

  private String environment() throws IOException {
    Map<?, ?> facts = Json.REPORT.convertValue(report.environment(), Map.class);
    return facts(facts);
  }

  private String configuration() throws IOException {
    return facts(report.configuration());
  }

  private static String facts(Map<?, ?> facts) throws IOException {
    StringBuilder html = new StringBuilder("<dl>\n");
    for (Map.Entry<?, ?> fact : facts.entrySet()) {
      Object value = fact.getValue();
      String text = value instanceof String s ? s : Json.REPORT.writeValueAsString(value);
      html.append("<dt>").append(escape(String.valueOf(fact.getKey()))).append("</dt>");
      html.append("<dd><pre>").append(escape(text)).append("</pre></dd>\n");
    }
    return html.append("</dl>\n").toString();
  }

  private String figures() {
    return Table.figures(report.summary()).entrySet().stream()
        .map(table -> section(table.getKey(), table(table.getValue())))
        .collect(Collectors.joining());
  }

  private static String table(Table table) {
    StringBuilder html = new StringBuilder("<div class=\"wide\"><table>\n<thead><tr>");
    table.headings().forEach(h -> html.append("<th>").append(escape(h)).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : table.rows()) {
      html.append("<tr>");
      row.forEach(cell -> html.append("<td>").append(escape(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  private static String section(String heading, String content) {
    return "<section>\n<h2>" + heading + "</h2>\n" + content + "</section>\n";
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
