package io.mooring.benchmarks.report.page;

import io.mooring.benchmarks.report.Json;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Resource;
import io.mooring.benchmarks.report.chart.ArmStyles;
import io.mooring.benchmarks.report.chart.Chart;
import io.mooring.benchmarks.report.chart.ReportCharts;
import io.mooring.benchmarks.report.chart.Svg;
import io.mooring.benchmarks.report.table.QueryTables;
import io.mooring.benchmarks.report.table.ReportTables;
import io.mooring.benchmarks.report.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    return report.shownNotes().stream()
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

  /** Pieces of a page. */
  private static final class Html {

    private static final Set<String> WORDS =
        Set.of("holds", "fails", "skipped", "regression", "improvement", "equivalent", "undecided");

    private Html() {}

    static String section(String heading, String content) {
      return "<section>\n<h2>" + Svg.escape(heading) + "</h2>\n" + content + "</section>\n";
    }

    /** A table whose headings are buttons: report.js sorts by them. */
    static String table(Table table) {
      StringBuilder html = new StringBuilder("<div class=\"wide\"><table>\n<thead><tr>");
      for (int column = 0; column < table.headings().size(); column++) {
        html.append(table.isOfFigures(column) ? "<th class=\"figure\">" : "<th>")
            .append("<button type=\"button\">")
            .append(Svg.escape(table.headings().get(column)))
            .append("</button></th>");
      }
      html.append("</tr></thead>\n<tbody>\n");
      for (List<String> row : table.rows()) {
        html.append("<tr>");
        row.forEach(cell -> html.append(cell(cell)));
        html.append("</tr>\n");
      }
      return html.append("</tbody></table></div>\n").toString();
    }

    private static String cell(String text) {
      String style = WORDS.contains(text) ? text : Table.isFigure(text) ? "figure" : "";
      String open = style.isEmpty() ? "<td>" : "<td class=\"" + style + "\">";
      return open + Svg.escape(text) + "</td>";
    }

    /** A chart under its title, with its arms. */
    static String figure(Chart chart, ArmStyles series) {
      StringBuilder html = new StringBuilder("<figure>\n<figcaption>");
      html.append(Svg.escape(chart.title())).append("</figcaption>\n<ul class=\"legend\">");
      for (String arm : chart.arms()) {
        String style = series.arms().contains(arm) ? series.style(arm) : arm;
        html.append("<li><svg viewBox=\"-7 -7 14 14\"><path class=\"marker ")
            .append(style)
            .append("\" d=\"")
            .append(series.marker(arm))
            .append("\"/></svg>")
            .append(Svg.escape(arm))
            .append("</li>");
      }
      return html.append("</ul>\n").append(chart.svg(series)).append("</figure>\n").toString();
    }
  }
}
