package io.mooring.benchmarks.query;

import java.util.List;

/**
 * One query of the benchmark.
 *
 * @param name as in {@code --queries} and in every row
 * @param sql over the view {@code store_sales}
 * @param noop true when the rows go into Spark's noop sink instead of to the harness
 * @param tolerance how far doubles may be from the reference, relative to it; 0 where the order of
 *     additions plays no part
 * @param verification a query whose rows stand for the result where {@code sql} returns none; else
 *     the same as {@code sql}
 * @param recorded what a report has of {@code sql}: the text itself, or the digest of a text that
 *     others hold the rights to
 */
public record ScanQuery(
    String name, String sql, boolean noop, double tolerance, String verification, String recorded) {

  /** The name of the view. */
  public static final String VIEW = "store_sales";

  /** Sums of doubles differ in the last digits when rows are added in another order. */
  public static final double ANY_ORDER = 1e-9;

  static ScanQuery aggregate(String name, String sql) {
    return new ScanQuery(name, sql, false, ANY_ORDER, sql, sql);
  }

  /** A query of a standard suite. */
  static ScanQuery standard(String name, String sql) {
    return new ScanQuery(name, sql, false, ANY_ORDER, sql, "sha256:" + TextDigest.sha256(sql));
  }

  public static ScanQuery rows(String name, String sql) {
    return new ScanQuery(name, sql, false, 0, sql, sql);
  }

  static ScanQuery everything(String name, List<String> columns) {
    String hashes =
        String.join(
            ", ", columns.stream().map(c -> "sum(cast(hash(`" + c + "`) as bigint))").toList());
    String sql = "SELECT * FROM " + VIEW;
    return new ScanQuery(name, sql, true, 0, "SELECT count(*), " + hashes + " FROM " + VIEW, sql);
  }
}
