package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a unit as tables of about {@link ReadUnit#outputChunkBytes} each, cut where pages end. A
 * limit is not kept where a single page exceeds it. Belongs to the thread of its task.
 */
interface TableChunks extends AutoCloseable {
  /** Those of a unit that can be chunked, whose bytes are on the device. */
  static TableChunks of(UnitUpload upload) {
    ChunkedDecoding reading = ChunkedDecoding.of(upload.unit());
    return reading.hybrid()
        ? new HybridTableChunks(upload, reading)
        : new FileTableChunks(upload, reading);
  }

  /**
   * The next rows, in the order of the file, in the columns that {@link TableDecoder} gives; null
   * behind the last. The caller closes the table.
   */
  @Nullable Table next();

  @Override
  void close();
}
