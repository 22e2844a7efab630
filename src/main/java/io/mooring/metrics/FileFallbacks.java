package io.mooring.metrics;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reasons why files of this process fell back to Spark's reader, collected until they are taken.
 * Thread-safe.
 */
public final class FileFallbacks {
  /** For a task that no query of Spark SQL has started. */
  public static final long NO_EXECUTION = -1;

  // A bound on memory: reasons name columns, so there can be many, and nobody may take them.
  private static final int MOST = 200;
  private static final String OTHER = "other reasons";
  private static final Map<Key, FileFallback> COUNTS = new HashMap<>();

  private record Key(long execution, String reason) {}

  private FileFallbacks() {}

  /** Counts one split of {@code path}. */
  public static synchronized void add(long execution, String reason, String path) {
    boolean room = COUNTS.size() < MOST || COUNTS.containsKey(new Key(execution, reason));
    String shown = room ? reason : OTHER;
    long query = room ? execution : NO_EXECUTION;
    COUNTS.merge(
        new Key(query, shown), new FileFallback(query, shown, path, 1), FileFallback::plus);
  }

  /** Returns the counts since the last call, and forgets them. */
  public static synchronized List<FileFallback> take() {
    List<FileFallback> taken = new ArrayList<>(COUNTS.values());
    COUNTS.clear();
    return taken;
  }

  /**
   * Files of one query that Spark's reader read for one reason. Immutable.
   *
   * @param execution Spark's number of the query, or {@link FileFallbacks#NO_EXECUTION}
   * @param example the path of one of them
   * @param splits how many splits, or parts of them
   */
  public record FileFallback(long execution, String reason, String example, long splits)
      implements Serializable {

    /** The sum of two counts of the same reason in the same query. */
    public FileFallback plus(FileFallback other) {
      return new FileFallback(execution, reason, example, splits + other.splits);
    }
  }
}
