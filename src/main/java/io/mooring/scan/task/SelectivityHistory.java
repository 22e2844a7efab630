package io.mooring.scan.task;

import io.mooring.pushdown.Expr;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.types.StructType;

/**
 * The selectivity of filters in late materialization, as this process has measured it. The next
 * task, and the next query, decode all columns at once where most bytes had to be read.
 * Thread-safe.
 */
final class SelectivityHistory {
  private static final int MOST_FILTERS = 1_000;
  // Where half of the bytes are read after all, reading the filter's columns twice gains little.
  private static final int WORTHWHILE = 2;
  private static final SelectivityHistory SHARED = new SelectivityHistory();

  /** The identity of a filter: the same condition over other files is another filter. */
  record Key(Expr filter, StructType columns, String folder) {}

  private record Totals(long bytes, long read) {
    Totals plus(long moreBytes, long moreRead) {
      return new Totals(bytes + moreBytes, read + moreRead);
    }
  }

  private final Map<Key, Totals> totals =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Totals> eldest) {
              return size() > MOST_FILTERS;
            }
          });

  static SelectivityHistory shared() {
    return SHARED;
  }

  /**
   * Adds a unit that was materialized late.
   *
   * @param bytes encoded, of the whole unit
   * @param read of them, because a row passed
   */
  void add(Key key, long bytes, long read) {
    totals.merge(
        key, new Totals(bytes, read), (before, now) -> before.plus(now.bytes(), now.read()));
  }

  /** True too for a filter that nobody has tried. */
  boolean worthwhile(Key key) {
    Totals known = totals.get(key);
    return known == null || known.read() * WORTHWHILE <= known.bytes();
  }
}
