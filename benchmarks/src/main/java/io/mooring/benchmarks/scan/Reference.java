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

  private static final List<Object> NO_KEYS = List.of(0, 0);

  /** Asks a worker without the plugin. */
  static Reference ask(WorkerProcess worker, Tables tables, QueryChoice choice) {
    ScanQueries queries = new ScanQueries(open(worker, tables, Arm.SPARK_CPU));
    List<String> answerable = choice.answerable(queries);
    List<Object> keys = choice.needsKeys(answerable) ? keys(worker, queries) : NO_KEYS;
    List<ScanQuery> chosen = new ArrayList<>();
    answerable.forEach(name -> chosen.add(choice.query(name, queries, keys)));
    choice.own().forEach(text -> chosen.add(new OwnQuery(text).ask(worker)));
    Map<String, ResultRows> expected = new LinkedHashMap<>();
    for (ScanQuery query : chosen) {
      expected.put(query.name(), new ResultRows(rows(worker, query.verification())));
    }
    return new Reference(chosen, choice.unanswerable(queries), expected);
  }

  private static List<Object> keys(WorkerProcess worker, ScanQueries queries) {
    List<List<Object>> found = rows(worker, queries.lookupKeys());
    return found.isEmpty() ? NO_KEYS : found.get(0);
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
