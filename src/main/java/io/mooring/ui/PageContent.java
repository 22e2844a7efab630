package io.mooring.ui;

import io.mooring.report.ApplicationReport;
import io.mooring.report.PoolAdvice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.execution.ui.SQLAppStatusListener;
import org.apache.spark.util.kvstore.KVStore;
import scala.Option;

/** All that the tab shows, out of a store. Thread-safe as that store is. */
final class PageContent {
  private final ReportStore reports;
  private final KVStore store;
  private final Supplier<Option<SQLAppStatusListener>> running;

  /**
   * Over the store of a UI.
   *
   * @param running Spark's listener of queries, once there is one
   */
  PageContent(KVStore store, Supplier<Option<SQLAppStatusListener>> running) {
    this.reports = new ReportStore(store);
    this.store = store;
    this.running = running;
  }

  Markup now() {
    List<ExecutorHistory> executors = reports.all(ExecutorHistory.class);
    Optional<ApplicationReport> application =
        reports.find(ApplicationReport.class, ApplicationReport.KEY);
    List<QueryView> queries = new QueryReader(store, running.get()).newest(QueryTable.MOST);
    List<Markup> parts = new ArrayList<>();
    parts.add(advice(executors));
    application.ifPresent(it -> it.warnings().forEach(warning -> parts.add(alert(warning))));
    parts.add(heading("Executors"));
    parts.add(legend());
    parts.add(ExecutorTable.of(executors));
    parts.add(heading("Queries that scan Parquet"));
    parts.add(QueryTable.of(queries));
    application.ifPresent(it -> parts.add(settings(it)));
    return Markup.element("div", List.of("id", "mooring"), Markup.all(parts));
  }

  private static Markup advice(List<ExecutorHistory> executors) {
    String line = PoolAdvice.of(executors.stream().map(ExecutorHistory::last).toList());
    return Markup.element(
        "p",
        List.of("id", "mooring-advice"),
        Markup.element("strong", Markup.text("Advice: ")),
        Markup.text(line));
  }

  private static Markup alert(String warning) {
    return Markup.element("div", List.of("class", "alert alert-warning"), Markup.text(warning));
  }

  private static Markup heading(String text) {
    return Markup.element("h4", Markup.text(text));
  }

  private static Markup legend() {
    return Markup.element(
        "p",
        Markup.text(
            "Over time: the area is what was in use at each report, the solid line the peak so far,"
                + " the dashed line the capacity."));
  }

  private static Markup settings(ApplicationReport application) {
    List<List<Markup>> rows = new ArrayList<>();
    rows.add(List.of(Markup.text("version"), Markup.text(application.version())));
    application.settings().entrySet().stream()
        .sorted(java.util.Map.Entry.comparingByKey())
        .forEach(it -> rows.add(List.of(Markup.text(it.getKey()), Markup.text(it.getValue()))));
    return Markup.all(heading("Settings"), Markup.table(List.of("Setting", "Value"), rows));
  }
}
