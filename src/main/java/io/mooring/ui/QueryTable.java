package io.mooring.ui;

import io.mooring.ui.QueryView.PartView;
import java.util.ArrayList;
import java.util.List;

/** Shows for each query what ran on the GPU, what did not, and why. */
final class QueryTable {
  static final int MOST = 100;

  private static final List<String> HEADERS =
      List.of("Query", "Status", "Part", "Read by", "Stage", "Why not the GPU", "Figures");
  private static final String LEGEND =
      "Each scan has a row, in the order of the query's plan. Stage: the operators over the scan that"
          + " the GPU is to run, from the bottom. A stage that ends below an operator leaves it to"
          + " Spark. MooringFinalStage merges and finishes the groups of the stage below it."
          + " Replicated is a build side that every executor reads itself; what it reads is"
          + " indented.";
  // Descriptions may be whole queries, plans name every column, and reasons name types.
  private static final int MOST_OF_NAME = 300;
  private static final int MOST_OF_LINE = 500;
  private static final int MOST_OF_PLAN = 2000;
  private static final int MOST_INDENTED = 5;

  private QueryTable() {}

  static Markup of(List<QueryView> queries) {
    if (queries.isEmpty()) {
      return Markup.element("p", Markup.text("No query has scanned Parquet files yet."));
    }
    List<List<Markup>> rows = new ArrayList<>();
    for (QueryView query : queries) {
      boolean first = true;
      for (PartView part : query.parts()) {
        rows.add(row(query, part, first));
        first = false;
      }
      if (query.more() > 0) {
        rows.add(more(query));
      }
    }
    return Markup.all(Markup.element("p", Markup.text(LEGEND)), Markup.table(HEADERS, rows));
  }

  private static List<Markup> row(QueryView query, PartView part, boolean first) {
    return List.of(
        first ? query(query) : Markup.NONE,
        Markup.text(first ? query.status() : ""),
        indented(part.depth(), folded(part.name(), part.plan())),
        Markup.text(part.readBy()),
        wide(stage(part.stage())),
        Markup.lines(lines(part.why())),
        wide(lines(part.figures())));
  }

  private static Markup indented(int depth, Markup cell) {
    String space = "margin-left: " + 2 * Math.min(depth, MOST_INDENTED) + "em";
    return depth == 0 ? cell : Markup.element("div", List.of("style", space), cell);
  }

  /** Operators, emphasized, and then what they counted. */
  private static List<Markup> stage(List<String> lines) {
    List<Markup> shown = new ArrayList<>(lines(lines));
    if (!shown.isEmpty()) {
      shown.set(0, Markup.element("strong", shown.get(0)));
    }
    return shown;
  }

  /** Lines that the reasons, which are long, do not crowd together. */
  private static Markup wide(List<Markup> lines) {
    return lines.isEmpty()
        ? Markup.NONE
        : Markup.element("div", List.of("style", "min-width: 20em"), Markup.lines(lines));
  }

  private static List<Markup> more(QueryView query) {
    Markup text = Markup.text(query.more() + " more, see the plan of the query");
    return List.of(
        Markup.NONE, Markup.NONE, text, Markup.NONE, Markup.NONE, Markup.NONE, Markup.NONE);
  }

  private static Markup query(QueryView query) {
    // Relative, so that it holds in a live UI, behind a proxy and in the history server.
    Markup link =
        Markup.element(
            "a",
            List.of("href", "../SQL/execution/?id=" + query.id()),
            Markup.shortened(query.id() + ": " + query.description(), MOST_OF_NAME));
    if (query.others().isEmpty()) {
      return link;
    }
    return Markup.all(link, folded("other operators, Spark's", String.join(", ", query.others())));
  }

  private static List<Markup> lines(List<String> lines) {
    return lines.stream().map(line -> Markup.shortened(line, MOST_OF_LINE)).toList();
  }

  private static Markup folded(String summary, String details) {
    return Markup.element(
        "details",
        Markup.element("summary", Markup.shortened(summary, MOST_OF_NAME)),
        Markup.element("small", Markup.shortened(details, MOST_OF_PLAN)));
  }
}
