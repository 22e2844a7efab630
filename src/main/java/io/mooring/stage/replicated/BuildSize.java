package io.mooring.stage.replicated;

import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.util.Utils;

/**
 * What a build side is expected to be, for EXPLAIN, and what it may become.
 *
 * @param rows estimated
 * @param bytes estimated, of its hashed relation on the host
 * @param mostBytes of its rows that are kept on the heap; more go to a file
 */
public record BuildSize(long rows, long bytes, long mostBytes) implements Serializable {
  private static final long serialVersionUID = 1;

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "estimated %s, %,d rows", Utils.bytesToString(bytes), rows);
  }
}
