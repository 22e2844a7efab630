package io.mooring.benchmarks.report.page;

import io.mooring.benchmarks.report.Json;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Resource;
import io.mooring.benchmarks.report.chart.ArmStyles;
import io.mooring.benchmarks.report.chart.ReportCharts;
import io.mooring.benchmarks.report.chart.Svg;
import io.mooring.benchmarks.report.table.QueryTables;
import io.mooring.benchmarks.report.table.ReportTables;
import io.mooring.benchmarks.report.table.Table;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/** report.html: one self-contained page, light or dark as the reader's system asks. */
public record HtmlPage(Report report) {

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
  public String html() throws IOException {
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
        Svg.escape(title),
        Resource.text(HtmlPage.class, "report.css"),
        Svg.escape(facts),
        body,
        Resource.text(HtmlPage.class, "report.js"));
  }

  private String notes() {
    return report.notes().stream()
        .map(note -> "<p class=\"note\">" + Svg.escape(note) + "</p>\n")
        .collect(Collectors.joining());
  }

  private String charts() {
    ArmStyles series = ArmStyles.of(report);
    String figures =
        new ReportCharts(report)
            .all().stream().map(chart -> Html.figure(chart, series)).collect(Collectors.joining());
    return figures.isEmpty()
        ? ""
        : Html.section("Charts", "<div class=\"charts\">\n" + figures + "</div>\n");
  }

  private String checks() {
    return Html.section("Checks", Html.table(ReportTables.checks(report.checks())));
  }

  private String figures() {
    return ReportTables.figures(report).entrySet().stream()
        .map(table -> Html.section(table.getKey(), Html.table(table.getValue())))
        .collect(Collectors.joining());
  }

  private String stages() {
    Table table = QueryTables.stages(report.runs());
    return table.rows().isEmpty()
        ? ""
        : Html.section("Stages", Html.table(table) + StageBars.html(report.runs()));
  }

  private static String facts(Map<?, ?> facts) throws IOException {
    StringBuilder html = new StringBuilder("<dl>\n");
    for (Map.Entry<?, ?> fact : facts.entrySet()) {
      Object value = fact.getValue();
      String text = value instanceof String s ? s : Json.REPORT.writeValueAsString(value);
      html.append("<dt>").append(Svg.escape(String.valueOf(fact.getKey()))).append("</dt>");
      html.append("<dd><pre>").append(Svg.escape(text)).append("</pre></dd>\n");
    }
    return html.append("</dl>\n").toString();
  }
}
