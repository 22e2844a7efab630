package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.device.BatchSlices;
import io.mooring.stage.task.DownloadedRows;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/** Takes results from the device to the host, in slices of about 1 GiB at most. */
final class ResultDownload {
  private static final long MOST_BYTES_AT_ONCE = 1L << 30;

  private ResultDownload() {}

  /**
   * The rows on the host, which the caller closes.
   *
   * @param results closed in any case
   */
  static DownloadedRows of(List<DeviceBatch> results, List<DataType> types) {
    DownloadedRows rows = new DownloadedRows(types);
    boolean all = false;
    try {
      for (DeviceBatch batch : results) {
        int slices = (int) Math.min(batch.rows(), batch.bytes() / MOST_BYTES_AT_ONCE + 1);
        BatchSlices.forEach(batch, slices, slice -> add(slice, rows));
      }
      all = true;
      return rows;
    } finally {
      results.forEach(DeviceBatch::close);
      if (!all) {
        rows.close();
      }
    }
  }

  private static void add(DeviceBatch slice, DownloadedRows rows) {
    try (slice) {
      rows.add(slice);
    }
  }
}
