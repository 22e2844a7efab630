package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.data.Tables;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.query.QuerySelection;
import io.mooring.benchmarks.query.ScanQueries;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.query.SqlText;
import io.mooring.benchmarks.query.UserQuery;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results of Spark's own reader: the queries for this data, and the rows that each must give.
 *
 * @param queries those that the data can answer
 * @param skipped reasons why a query cannot be answered, by its name
 * @param expected rows by query name
 */
record ExpectedResults(
    List<ScanQuery> queries, Map<String, String> skipped, Map<String, ResultRows> expected) {

  private static final List<Object> NO_KEYS = List.of(0, 0);

  /** Asks a worker without the plugin for what is not stored. */
  static ExpectedResults ask(
      WorkerProcess worker, Tables tables, QuerySelection choice, StoredResults stored) {
    ScanQueries queries = new ScanQueries(open(worker, tables, tables.locations(), Arm.SPARK_CPU));
    List<String> answerable = choice.answerable(queries);
    List<Object> keys = choice.needsKeys(answerable) ? keys(worker, queries) : NO_KEYS;
    List<ScanQuery> chosen = new ArrayList<>();
    Map<String, String> skipped = new LinkedHashMap<>();
    choice.unanswerable(queries).forEach(name -> skipped.put(name, "the data lacks its columns"));
    Map<String, ResultRows> expected = new LinkedHashMap<>();
    for (String name : answerable) {
      try {
        ScanQuery query = choice.query(name, queries, keys, worker);
        expected.put(name, new ResultRows(stored.rows(query.verification(), worker::rows)));
        chosen.add(query);
      } catch (ProcessException.Failed e) {
        if (!choice.suite().isStandard()) {
          throw e;
        }
        skipped.put(name, "Spark's CPU reader fails: " + e.reason());
      }
    }
    for (SqlText text : choice.ownQueries()) {
      ScanQuery query = new UserQuery(text).ask(worker);
      // The user's may give other rows each day, such as current_date().
      expected.put(query.name(), new ResultRows(worker.rows(query.verification())));
      chosen.add(query);
    }
    return new ExpectedResults(chosen, skipped, expected);
  }

  private static List<Object> keys(WorkerProcess worker, ScanQueries queries) {
    List<List<Object>> found = worker.rows(queries.lookupKeys());
    return found.isEmpty() ? NO_KEYS : found.get(0);
  }

  /**
   * Creates a view for each table, then the user's views over them. Returns the types of
   * store_sales by column; empty where there is no such table.
   *
   * @param locations of the tables, by their names
   */
  static Map<String, String> open(
      WorkerProcess worker, Tables tables, Map<String, String> locations, Arm arm) {
    Map<String, String> columns = Map.of();
    for (Map.Entry<String, String> table : locations.entrySet()) {
      String source = arm.source(tables.format(table.getKey()));
      Request open = new Request.Open(table.getKey(), source, List.of(table.getValue()));
      Map<String, String> types = worker.ask(open, Reply.Columns.class).types();
      columns = table.getKey().equals(ScanQuery.VIEW) ? types : columns;
    }
    tables.views().forEach(worker::rows);
    return columns;
  }
}
