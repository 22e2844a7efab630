package io.mooring.benchmarks.query;

import io.mooring.benchmarks.worker.WorkerProcess;
import java.util.ArrayList;
import java.util.List;

/**
 * The queries that the user wants to run, and the views that they need.
 *
 * @param suite whose queries the names are
 * @param names of the harness's queries
 * @param own statements of the user's: queries, and those that create temporary views
 */
public record QuerySelection(Suite suite, List<String> names, List<SqlText> own) {

  /** The user's own queries. */
  public List<SqlText> ownQueries() {
    return own.stream().filter(text -> !text.isView()).toList();
  }

  /** The user's statements that create views, which come before all queries. */
  public List<String> views() {
    return own.stream().filter(SqlText::isView).map(SqlText::sql).toList();
  }

  /** Names that this data cannot answer, because it lacks a column. */
  public List<String> unanswerable(ScanQueries queries) {
    return suite.isStandard() ? List.of() : queries.unanswerable(names);
  }

  /** The names that it can. */
  public List<String> answerable(ScanQueries queries) {
    List<String> answerable = new ArrayList<>(names);
    answerable.removeAll(unanswerable(queries));
    return answerable;
  }

  /** True when one of these needs keys that are in the data. */
  public boolean needsKeys(List<String> answerable) {
    return suite == Suite.STORE_SALES && answerable.contains(ScanQueries.LOOKUP);
  }

  /**
   * The query of this name.
   *
   * @param worker that knows the tables
   * @param keys for the queries that need some
   */
  public ScanQuery query(
      String name, ScanQueries queries, List<Object> keys, WorkerProcess worker) {
    return suite.isStandard() ? standard(name, worker) : queries.query(name, keys);
  }

  /** A query of a standard suite, with its ties broken: every run has to give the same rows. */
  private ScanQuery standard(String name, WorkerProcess worker) {
    return ScanQuery.standard(name, TotalOrder.of(suite.texts().text(name), worker));
  }
}
