package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import org.jspecify.annotations.Nullable;

/**
 * With libcudf's {@link ai.rapids.cudf.HybridScanReader}, out of what was uploaded. In cudf 26.08.1
 * that takes one row group of flat columns, without deltas and without Zstd pages of version 2.
 */
final class HybridTableChunks implements TableChunks {
  private final UnitUpload upload;
  private final ChunkedDecoding reading;
  private @Nullable HybridScan source;

  /**
   * @param upload whose bytes are on the device, and stay there until this is closed
   */
  HybridTableChunks(UnitUpload upload, ChunkedDecoding reading) {
    this.upload = upload;
    this.reading = reading;
  }

  @Override
  public @Nullable Table next() {
    HybridScan open = source == null ? start() : source;
    if (!open.reader().hasNextTableChunk()) {
      return null;
    }
    return open.reader().materializeAllColumnsChunk();
  }

  private HybridScan start() {
    HybridScan made = HybridScan.of(upload);
    source = made;
    ReadUnit unit = upload.unit();
    long inWork = reading.bytesInWork(unit.outputChunkBytes(), made.encodedBytes());
    made.reader()
        .setupChunkingForAllColumns(unit.outputChunkBytes(), inWork, unit.rowGroups(), made.chunks());
    return made;
  }

  @Override
  public void close() {
    if (source != null) {
      source.close();
    }
  }
}
