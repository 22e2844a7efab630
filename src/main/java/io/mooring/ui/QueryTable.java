package io.mooring.ui;

import io.mooring.ui.QueryView.ScanView;
import java.util.ArrayList;
import java.util.List;

/** Shows for each query what ran on the GPU, what did not, and why. */
final class QueryTable {
  static final int MOST = 100;

  private static final List<String> HEADERS =
      List.of("Query", "Status", "Scan", "Read by", "Why not the GPU", "Figures");

  private QueryTable() {}

  static Markup of(List<QueryView> queries) {
    if (queries.isEmpty()) {
      return Markup.element("p", Markup.text("No query has scanned Parquet files yet."));
    }
    List<List<Markup>> rows = new ArrayList<>();
    for (QueryView query : queries) {
      boolean first = true;
      for (ScanView scan : query.scans()) {
        rows.add(row(query, scan, first));
        first = false;
      }
    }
    return Markup.table(HEADERS, rows);
  }

  private static List<Markup> row(QueryView query, ScanView scan, boolean first) {
    return List.of(
        first ? query(query) : Markup.NONE,
        Markup.text(first ? query.status() : ""),
        folded(scan.name(), scan.plan()),
        Markup.text(scan.engine().label()),
        Markup.lines(scan.why().stream().map(Markup::text).toList()),
        Markup.lines(scan.figures().stream().map(Markup::text).toList()));
  }

  private static Markup query(QueryView query) {
    // Relative, so that it holds in a live UI, behind a proxy and in the history server.
    Markup link =
        Markup.element(
            "a",
            List.of("href", "../SQL/execution/?id=" + query.id()),
            Markup.text(query.id() + ": " + query.description()));
    if (query.others().isEmpty()) {
      return link;
    }
    return Markup.all(
        link, folded("above the scans, on the CPU", String.join(", ", query.others())));
  }

  private static Markup folded(String summary, String details) {
    return Markup.element(
        "details",
        Markup.element("summary", Markup.text(summary)),
        Markup.element("small", Markup.text(details)));
  }
}
