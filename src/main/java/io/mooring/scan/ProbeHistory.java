package io.mooring.scan;

import io.mooring.pushdown.Expr;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.types.StructType;

/**
 * How many row groups held a row that passed a filter, of those that were looked at in this
 * process. The next task, and the next query, read whole units at once where most of them did.
 * Thread-safe.
 */
final class ProbeHistory {
  private static final int MOST_FILTERS = 1_000;
  // Where half of the row groups survive, reading the filter's columns twice gains little.
  private static final int WORTHWHILE = 2;
  private static final ProbeHistory SHARED = new ProbeHistory();

  /** What a filter is about: the same condition over other files is another. */
  record Key(Expr filter, StructType columns, String folder) {}

  private record Seen(long rowGroups, long survivors) {
    Seen plus(long moreGroups, long moreSurvivors) {
      return new Seen(rowGroups + moreGroups, survivors + moreSurvivors);
    }
  }

  private final Map<Key, Seen> seen =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Seen> eldest) {
              return size() > MOST_FILTERS;
            }
          });

  static ProbeHistory shared() {
    return SHARED;
  }

  void add(Key key, int rowGroups, int survivors) {
    seen.merge(
        key,
        new Seen(rowGroups, survivors),
        (before, now) -> before.plus(now.rowGroups(), now.survivors()));
  }

  /** True too for a filter that nobody has tried. */
  boolean worthwhile(Key key) {
    Seen known = seen.get(key);
    return known == null || known.survivors() * WORTHWHILE <= known.rowGroups();
  }
}
