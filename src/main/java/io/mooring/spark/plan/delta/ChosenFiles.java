package io.mooring.spark.plan.delta;

import io.mooring.scan.delta.DeltaFiles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The files that Delta Lake chose for earlier queries. The least recently used are forgotten where
 * they are too many. Thread-safe.
 */
final class ChosenFiles {
  // An entry of the log takes about a kilobyte with its statistics.
  private static final int MOST_FILES = 20_000;
  private static final int MOST_FILES_OF_ONE = MOST_FILES / 4;
  private static final int MOST_CHOICES = 300;

  private final Map<Key, DeltaFiles> byKey = new LinkedHashMap<>(16, 0.75f, true);
  private int count;

  /**
   * What decides on the files: a version of a table never changes.
   *
   * @param committedAt when the version was written: a table can be restored to an older state
   * @param schema the columns by which a query knows the table
   * @param zone by which partition values of timestamps are read
   * @param conditions over columns by their ordinals in the schema
   */
  record Key(
      Object table,
      long version,
      long committedAt,
      StructType schema,
      String zone,
      Set<Expression> conditions) {}

  synchronized @Nullable DeltaFiles get(Key key) {
    return byKey.get(key);
  }

  /**
   * Keeps files.
   *
   * @param files whose conditions are over columns by ordinals
   */
  synchronized void put(Key key, DeltaFiles files) {
    if (files.count() > MOST_FILES_OF_ONE) {
      return;
    }
    DeltaFiles before = byKey.put(key, files);
    count += files.count() - (before == null ? 0 : before.count());
    var oldest = byKey.values().iterator();
    while (count > MOST_FILES || byKey.size() > MOST_CHOICES) {
      count -= oldest.next().count();
      oldest.remove();
    }
  }

  synchronized void clear() {
    byKey.clear();
    count = 0;
  }
}
