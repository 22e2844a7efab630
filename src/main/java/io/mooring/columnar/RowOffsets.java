package io.mooring.columnar;

import org.apache.spark.unsafe.Platform;

/** Where the parts of each row begin: one 32-bit number more than there are rows. */
record RowOffsets(long address) {
  int start(int row) {
    return Platform.getInt(null, address + 4L * row);
  }

  int length(int row) {
    return start(row + 1) - start(row);
  }
}
