package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tables of a chunked unit, decoded by libcudf's {@link ai.rapids.cudf.HybridScanReader} from the
 * uploaded column chunks. In cudf 26.08.1 that takes one row group of flat columns, without deltas
 * and without Zstd pages of version 2.
 */
final class HybridChunkedTables implements DecodedTables {
  private final UnitUpload upload;
  private final ChunkedDecoding decoding;
  private @Nullable HybridScan scan;

  /**
   * @param upload whose bytes are on the device, and stay there until this is closed
   */
  HybridChunkedTables(UnitUpload upload, ChunkedDecoding decoding) {
    this.upload = upload;
    this.decoding = decoding;
  }

  @Override
  public @Nullable Table next() {
    HybridScan open = scan == null ? start() : scan;
    if (!open.reader().hasNextTableChunk()) {
      return null;
    }
    return open.reader().materializeAllColumnsChunk();
  }

  private HybridScan start() {
    HybridScan made = HybridScan.of(upload);
    scan = made;
    ReadUnit unit = upload.unit();
    long inWork = decoding.passReadLimit(unit.outputChunkBytes(), made.encodedBytes());
    made.reader()
        .setupChunkingForAllColumns(
            unit.outputChunkBytes(), inWork, unit.rowGroups(), made.columnChunks());
    return made;
  }

  @Override
  public void close() {
    if (scan != null) {
      scan.close();
    }
  }
}
