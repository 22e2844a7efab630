package io.mooring.ui;

import io.mooring.metrics.FileFallbacks.FileFallback;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * A query's files that fell back, as the UI's store keeps them. Immutable.
 *
 * @param reasons by the reason
 */
public record QueryFallbacks(long execution, Map<String, FileFallback> reasons) {

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
}
