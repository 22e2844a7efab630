package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Spark's own reader says: the queries for this data, and the result that each must have.
 *
 * @param queries those that the data can answer
 * @param skipped names of those that it cannot
 * @param expected rows by query name
 */
record Reference(List<ScanQuery> queries, List<String> skipped, Map<String, ResultRows> expected) {

  /**
   * Asks a worker without the plugin.
   *
   * @param names of the harness's queries
   * @param own statements of the user's
   */
  static Reference ask(WorkerProcess worker, Tables tables, List<String> names, List<SqlText> own) {
    ScanQueries queries = new ScanQueries(open(worker, tables, Arm.SPARK_CPU));
    List<String> skipped = queries.unanswerable(names);
    List<String> answerable = new ArrayList<>(names);
    answerable.removeAll(skipped);
    List<ScanQuery> chosen = new ArrayList<>();
    List<Object> keys = keys(worker, queries, answerable);
    answerable.forEach(name -> chosen.add(queries.query(name, keys)));
    own.forEach(text -> chosen.add(new OwnQuery(text).ask(worker)));
    Map<String, ResultRows> expected = new LinkedHashMap<>();
    for (ScanQuery query : chosen) {
      expected.put(query.name(), new ResultRows(rows(worker, query.verification())));
    }
    return new Reference(chosen, skipped, expected);
  }

  private static List<Object> keys(
      WorkerProcess worker, ScanQueries queries, List<String> answerable) {
    List<List<Object>> found =
        answerable.contains(ScanQueries.LOOKUP) ? rows(worker, queries.lookupKeys()) : List.of();
    return found.isEmpty() ? List.of(0, 0) : found.get(0);
  }

  /** Makes the files views under the queries; returns the columns of store_sales, if it is one. */
  static Map<String, String> open(WorkerProcess worker, Tables tables, Arm arm) {
    Map<String, String> columns = Map.of();
    for (Map.Entry<String, InputFiles> table : tables.files().entrySet()) {
      Request open = new Request.Open(table.getKey(), arm.format(), table.getValue().paths());
      Map<String, String> types = worker.ask(open, Reply.Columns.class).types();
      columns = table.getKey().equals(ScanQuery.VIEW) ? types : columns;
    }
    return columns;
  }

  private static List<List<Object>> rows(WorkerProcess worker, String sql) {
    return worker.ask(new Request.Query(sql, false), Reply.Result.class).rows();
  }
}
