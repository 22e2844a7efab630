package io.mooring.scan.split;

import org.apache.spark.sql.catalyst.InternalRow;

/** Splits of files that are never opened. */
final class Splits {
  private Splits() {}

  static FileSplit file(String path, long bytes, String... hosts) {
    return new FileSplit(path, path, 0, bytes, bytes, 0, InternalRow.empty(), hosts);
  }
}
