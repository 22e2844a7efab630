package io.mooring.metrics;

import java.io.Serializable;

/**
 * Files of one query that Spark's reader read for one reason. Immutable.
 *
 * @param execution Spark's number of the query, or {@link FileFallbacks#NO_EXECUTION}
 * @param example the path of one of them
 * @param splits how many splits, or parts of them
 */
public record FileFallback(long execution, String reason, String example, long splits)
    implements Serializable {

  /** The same reason in the same query, told twice. */
  public FileFallback plus(FileFallback other) {
    return new FileFallback(execution, reason, example, splits + other.splits);
  }
}
