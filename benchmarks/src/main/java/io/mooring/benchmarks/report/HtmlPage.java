package io.mooring.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** report.html: one self-contained page, light or dark as the reader's system asks. */
record HtmlPage(Report report) {

  /** The policy makes browsers refuse whatever would be loaded from elsewhere. */
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>%1$s</title>
      <style>
      %2$s</style>
      </head>
      <body>
      <h1>%1$s</h1>
      <p>%3$s</p>
      %4$s<script>
      %5$s</script>
      </body>
      </html>
      """;

  /** The page's text. */
  String html() throws IOException {
    String title = "Mooring: " + report.command();
    String facts = report.startedAt() + " · " + report.status() + " · schema " + report.schema();
    String body =
        notes()
            + charts()
            + (report.checks().isEmpty() ? "" : checks())
            + figures()
            + stages()
            + Html.section(
                "Machine", facts(Json.REPORT.convertValue(report.environment(), Map.class)))
            + Html.section("Configuration", facts(report.configuration()));
    return PAGE.formatted(
        Html.escape(title),
        resource("report.css"),
        Html.escape(facts),
        body,
        resource("report.js"));
  }

  private String notes() {
    return report.notes().stream()
        .map(note -> "<p class=\"note\">" + Html.escape(note) + "</p>\n")
        .collect(Collectors.joining());
  }

  private String charts() {
    Series series = Series.of(report);
    String figures =
        new Charts(report)
            .all().stream().map(chart -> Html.figure(chart, series)).collect(Collectors.joining());
    return figures.isEmpty()
        ? ""
        : Html.section("Charts", "<div class=\"charts\">\n" + figures + "</div>\n");
  }

  private String checks() {
    return Html.section("Checks", Html.table(Table.checks(report.checks())));
  }

  private String figures() {
    return Table.figures(report).entrySet().stream()
        .map(table -> Html.section(table.getKey(), Html.table(table.getValue())))
        .collect(Collectors.joining());
  }

  private String stages() {
    Table table = StageCells.table(report.runs());
    return table.rows().isEmpty()
        ? ""
        : Html.section("Stages", Html.table(table) + StageBars.html(report.runs()));
  }

  private static String facts(Map<?, ?> facts) throws IOException {
    StringBuilder html = new StringBuilder("<dl>\n");
    for (Map.Entry<?, ?> fact : facts.entrySet()) {
      Object value = fact.getValue();
      String text = value instanceof String s ? s : Json.REPORT.writeValueAsString(value);
      html.append("<dt>").append(Html.escape(String.valueOf(fact.getKey()))).append("</dt>");
      html.append("<dd><pre>").append(Html.escape(text)).append("</pre></dd>\n");
    }
    return html.append("</dl>\n").toString();
  }

  /** The text of a file beside this class. */
  static String resource(String name) throws IOException {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
