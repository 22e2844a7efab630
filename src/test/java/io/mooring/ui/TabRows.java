package io.mooring.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows of the tab's table of queries, as text: markup becomes line breaks. */
record TabRows(String page) {
  private static final Pattern ROW =
      Pattern.compile("<tr>((?:<td>(?:(?!</td>).)*</td>){7})</tr>", Pattern.DOTALL);
  private static final Pattern CELL = Pattern.compile("<td>(.*?)</td>", Pattern.DOTALL);

  /** A row; {@code query} and {@code status} are those of the query in its following rows too. */
  record Row(
      String query,
      String status,
      String part,
      String readBy,
      String stage,
      String why,
      String figures,
      boolean isIndented) {}

  List<Row> all() {
    List<Row> rows = new ArrayList<>();
    String query = "";
    String status = "";
    Matcher row = ROW.matcher(page.substring(page.indexOf("Queries that scan Parquet")));
    while (row.find()) {
      List<String> cells =
          CELL.matcher(row.group(1)).results().map(it -> text(it.group(1))).toList();
      query = cells.get(0).isEmpty() ? query : cells.get(0);
      status = cells.get(1).isEmpty() ? status : cells.get(1);
      rows.add(
          new Row(
              query,
              status,
              cells.get(2),
              cells.get(3),
              cells.get(4),
              cells.get(5),
              cells.get(6),
              row.group().contains("margin-left")));
    }
    return rows;
  }

  /** The rows of the query with a description. */
  List<Row> of(String description) {
    return all().stream()
        .filter(row -> row.query().lines().findFirst().orElse("").endsWith(": " + description))
        .toList();
  }

  private static String text(String html) {
    return html.replaceAll("(<[^>]*>)+", "\n")
        .strip()
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }
}
