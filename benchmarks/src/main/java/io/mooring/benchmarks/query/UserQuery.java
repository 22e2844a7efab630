package io.mooring.benchmarks.query;

import io.mooring.benchmarks.worker.WorkerProcess;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of the user's, with ties at its limit broken, as a query of the benchmark: few rows
 * are collected and compared one by one; many go into the noop sink, and are compared by their
 * number and by hashes of those columns whose values do not depend on the order of additions.
 */
public record UserQuery(SqlText text) {

  /** More rows than this would only measure the way to the harness. */
  static final long MOST_COMPARED_ROWS = 10_000;

  /** Asks a worker what kind of result the statement has. */
  public ScanQuery ask(WorkerProcess worker) {
    String sql = TotalOrder.of(text.sql(), worker);
    String inner = "(" + sql + "\n)";
    long rows = ((Number) worker.rows("SELECT count(*) FROM " + inner).get(0).get(0)).longValue();
    if (rows <= MOST_COMPARED_ROWS) {
      return ScanQuery.aggregate(text.name(), sql);
    }
    List<String> sums = new ArrayList<>(List.of("count(*)"));
    for (List<Object> column : worker.rows("DESCRIBE QUERY " + sql)) {
      if (isExact(String.valueOf(column.get(1)))) {
        sums.add("sum(cast(hash(`" + column.get(0) + "`) as bigint))");
      }
    }
    String verification = "SELECT " + String.join(", ", sums) + " FROM " + inner;
    return new ScanQuery(text.name(), sql, true, 0, verification, sql);
  }

  private static boolean isExact(String type) {
    return !type.contains("double") && !type.contains("float") && !type.contains("map");
  }
}
