package io.mooring.benchmarks.report.page;

import io.mooring.benchmarks.report.chart.ArmStyles;
import io.mooring.benchmarks.report.chart.Chart;
import io.mooring.benchmarks.report.chart.Svg;
import io.mooring.benchmarks.report.table.Table;
import java.util.List;
import java.util.Set;

/** Pieces of a page. */
public final class Html {

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
