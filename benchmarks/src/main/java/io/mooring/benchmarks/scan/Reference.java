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

  /** Asks a worker without the plugin. */
  static Reference ask(WorkerProcess worker, InputFiles input, List<String> names) {
    ScanQueries queries = new ScanQueries(open(worker, input, Arm.SPARK_CPU));
    List<String> skipped = queries.unanswerable(names);
    List<String> answerable = new ArrayList<>(names);
    answerable.removeAll(skipped);
    List<Object> keys = List.of(0, 0);
    if (answerable.contains(ScanQueries.LOOKUP)) {
      List<List<Object>> found = rows(worker, queries.lookupKeys());
      keys = found.isEmpty() ? keys : found.get(0);
    }
    List<ScanQuery> chosen = new ArrayList<>();
    Map<String, ResultRows> expected = new LinkedHashMap<>();
    for (String name : answerable) {
      ScanQuery query = queries.query(name, keys);
      chosen.add(query);
      expected.put(name, new ResultRows(rows(worker, query.verification())));
    }
    return new Reference(chosen, skipped, expected);
  }

  /** Makes the files the view under the queries; returns its columns. */
  static Map<String, String> open(WorkerProcess worker, InputFiles input, Arm arm) {
    Request open = new Request.Open(ScanQuery.VIEW, arm.format(), input.paths());
    return worker.ask(open, Reply.Columns.class).types();
  }

  private static List<List<Object>> rows(WorkerProcess worker, String sql) {
    return worker.ask(new Request.Query(sql, false), Reply.Result.class).rows();
  }
}
