package org.apache.iceberg;

import java.util.List;

/** A scan that is named as those of queries are, of a version of Iceberg without known readers. */
public final class SparkBatchQueryScan extends ScanOfIceberg {
  /** The table, which is asked for its access to files. */
  public Object table() {
    return this;
  }

  /** The access to files, which has no settings of Hadoop. */
  public Object io() {
    return this;
  }

  /** No file. */
  public List<?> tasks() {
    return List.of();
  }
}
