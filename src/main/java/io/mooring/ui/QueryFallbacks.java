package io.mooring.ui;

import io.mooring.metrics.FileFallbacks.FileFallback;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * A query's files that fell back, as the UI's store keeps them. Immutable.
 *
 * @param reasons by the reason
 */
public record QueryFallbacks(long execution, Map<String, FileFallback> reasons) {
  private static final int MOST_LINES = 10;

  @KVIndex
  public long key() {
    return execution;
  }

  static QueryFallbacks none(long execution) {
    return new QueryFallbacks(execution, Map.of());
  }

  QueryFallbacks plus(FileFallback more) {
    Map<String, FileFallback> all = new TreeMap<>(reasons);
    all.merge(more.reason(), more, FileFallback::plus);
    return new QueryFallbacks(execution, all);
  }

  /** The reasons in words. Executors report them for a query, not for its scans. */
  List<String> lines() {
    if (reasons.isEmpty()) {
      return List.of("the executors have not reported the reason yet");
    }
    List<String> lines = new ArrayList<>();
    reasons.values().stream()
        .limit(MOST_LINES)
        .map(it -> it.reason() + " (" + it.splits() + " of such splits, " + it.example() + ")")
        .forEach(lines::add);
    int more = reasons.size() - MOST_LINES;
    if (more > 0) {
      lines.add("and " + more + " more reasons");
    }
    return lines;
  }
}
