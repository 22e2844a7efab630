package io.mooring.spark.plan.delta;

import io.mooring.scan.delta.DeltaFiles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;

/**
 * The files that Delta Lake chose for earlier queries. The least recently used are forgotten where
 * they are too many. Thread-safe.
 */
final class ChosenFiles {
  // An entry of the log takes about a kilobyte with its statistics.
  private static final int MOST_FILES = 20_000;
  private static final int MOST_CHOICES = 1_000;

  private final Map<Key, DeltaFiles> byKey = new LinkedHashMap<>(16, 0.75f, true);
  private int count;

  /**
   * What decides on the files: a version of a table never changes.
   *
   * @param conditions over columns by ordinals
   */
  record Key(Object table, long version, Set<Expression> conditions) {}

  synchronized @Nullable DeltaFiles get(Key key) {
    return byKey.get(key);
  }

  /**
   * Keeps files.
   *
   * @param files whose conditions are over columns by ordinals
   */
  synchronized void put(Key key, DeltaFiles files) {
    DeltaFiles before = byKey.put(key, files);
    count += files.count() - (before == null ? 0 : before.count());
    var oldest = byKey.values().iterator();
    while (count > MOST_FILES || byKey.size() > MOST_CHOICES) {
      count -= oldest.next().count();
      oldest.remove();
    }
  }
}
