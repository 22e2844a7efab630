package io.mooring.scan.split;

import io.mooring.parquet.source.ParquetFile;
import org.apache.spark.sql.catalyst.InternalRow;

/** Splits of files that are never opened. */
final class Splits {
  private Splits() {}

  static FileSplit file(String path, long bytes, String... hosts) {
    return new FileSplit(
        new ParquetFile(path, bytes, 0), path, 0, bytes, InternalRow.empty(), hosts);
  }
}
