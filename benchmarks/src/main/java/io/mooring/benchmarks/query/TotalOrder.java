package io.mooring.benchmarks.query;

import io.mooring.benchmarks.worker.WorkerProcess;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Queries whose {@code LIMIT} keeps the same rows in every run. Which of several rows that tie at
 * the limit is kept is open in SQL; where every output column is a sort key behind the query's own,
 * only rows that are equal tie.
 */
public final class TotalOrder {

  private static final Pattern LIMIT =
      Pattern.compile("(?is)\\s+limit\\s+\\d+(\\s+offset\\s+\\d+)?\\s*;?\\s*$");
  private static final Pattern UNSORTABLE = Pattern.compile("\\b(map|variant)\\b");
  private static final Pattern ORDER = Pattern.compile("(?i)\\border\\s+by\\b");

  private TotalOrder() {}

  /**
   * The query with its ties broken, where a limit cuts off rows by an order; else as it is.
   *
   * @param worker that knows its tables
   */
  static String of(String sql, WorkerProcess worker) {
    if (!isNeeded(sql)) {
      return sql;
    }
    List<List<Object>> columns = worker.rows("DESCRIBE QUERY " + sql);
    List<Integer> sortable =
        IntStream.rangeClosed(1, columns.size())
            .filter(number -> !UNSORTABLE.matcher(columns.get(number - 1).get(1) + "").find())
            .boxed()
            .toList();
    return of(sql, sortable);
  }

  /** True when a limit cuts off rows by an order, so that ties decide what is kept. */
  public static boolean isNeeded(String sql) {
    Matcher limit = LIMIT.matcher(sql);
    return limit.find() && isOrdered(sql.substring(0, limit.start()));
  }

  /**
   * The query, where {@link #isNeeded}, with output columns behind its own sort keys.
   *
   * @param columns their numbers, from 1
   */
  static String of(String sql, List<Integer> columns) {
    Matcher limit = LIMIT.matcher(sql);
    if (!limit.find() || columns.isEmpty()) {
      return sql;
    }
    String keys = columns.stream().map(Object::toString).collect(Collectors.joining(", "));
    return sql.substring(0, limit.start()) + ",\n  " + keys + sql.substring(limit.start());
  }

  /**
   * Whether the last {@code ORDER BY} is that of the query, and of no window or sub-query in it.
   */
  private static boolean isOrdered(String sql) {
    int last = -1;
    for (Matcher order = ORDER.matcher(sql); order.find(); ) {
      last = order.start();
    }
    int depth = 0;
    for (int i = Math.max(last, 0); i < sql.length() && depth >= 0; i++) {
      depth += sql.charAt(i) == '(' ? 1 : sql.charAt(i) == ')' ? -1 : 0;
    }
    return last >= 0 && depth == 0;
  }
}
