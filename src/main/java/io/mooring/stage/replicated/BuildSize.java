package io.mooring.stage.replicated;

import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.util.Utils;

/**
 * The estimated size of a build side, for EXPLAIN, and its limit.
 *
 * @param rows estimated
 * @param bytes estimated, of the hash table on a device
 * @param mostBytes of rows on the heap; a larger relation goes to files
 */
public record BuildSize(long rows, long bytes, long mostBytes) implements Serializable {
  private static final long serialVersionUID = 1;

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "estimated %s, %,d rows", Utils.bytesToString(bytes), rows);
  }
}
