package io.mooring.parquet.read;

import ai.rapids.cudf.ByteRange;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.ParquetOptions;
import ai.rapids.cudf.Table;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HybridScanReader} for one unit, with the unit's column chunks on the device as the
 * reader asks for them. A reader serves one call: in cudf 26.08.1 the second call on the same
 * reader writes through a null pointer. Not thread-safe.
 */
final class HybridScan implements AutoCloseable {
  private final HybridScanReader reader;
  private final DeviceMemoryBuffer[] columnChunks;
  private final long encodedBytes;

  private HybridScan(
      HybridScanReader reader, DeviceMemoryBuffer[] columnChunks, long encodedBytes) {
    this.reader = reader;
    this.columnChunks = columnChunks;
    this.encodedBytes = encodedBytes;
  }

  /** A reader for a unit whose bytes are on the device; the upload has to outlive it. */
  static HybridScan of(UnitUpload upload) {
    HybridScanReader reader = reader(upload.unit());
    DeviceMemoryBuffer[] chunks = {};
    boolean complete = false;
    try {
      ByteRange[] ranges = reader.allColumnChunksByteRanges(upload.unit().rowGroups());
      chunks = new DeviceMemoryBuffer[ranges.length];
      long bytes = 0;
      for (int i = 0; i < ranges.length; i++) {
        FileRange range = new FileRange(ranges[i].offset(), ranges[i].size());
        chunks[i] = SparseChunkAssembler.columnChunk(upload, range);
        bytes += ranges[i].size();
      }
      complete = true;
      return new HybridScan(reader, chunks, bytes);
    } finally {
      if (!complete) {
        close(reader, chunks);
      }
    }
  }

  HybridScanReader reader() {
    return reader;
  }

  /** The column chunks in the order in which the reader asks for them. */
  DeviceMemoryBuffer[] columnChunks() {
    return columnChunks;
  }

  /** Encoded bytes of all column chunks. */
  long encodedBytes() {
    return encodedBytes;
  }

  private static HybridScanReader reader(ReadUnit unit) {
    byte[] thrift = footer(unit);
    try (HostMemoryBuffer bytes = HostMemoryBuffer.allocateRaw(thrift.length)) {
      bytes.setBytes(0, thrift, 0, thrift.length);
      return new HybridScanReader(bytes, options(unit));
    }
  }

  private static byte[] footer(ReadUnit unit) {
    try {
      return unit.decoderFooter();
    } catch (IOException e) {
      throw new UncheckedIOException("The footer of " + unit.files() + " cannot be rewritten", e);
    }
  }

  @Override
  public void close() {
    close(reader, columnChunks);
  }

  private static void close(HybridScanReader reader, DeviceMemoryBuffer[] chunks) {
    try (reader) {
      for (DeviceMemoryBuffer chunk : chunks) {
        if (chunk != null) {
          chunk.close();
        }
      }
    }
  }

  /** The options of libcudf's readers for a unit. */
  static ParquetOptions options(ReadUnit unit) {
    ParquetOptions.Builder options = ParquetOptions.builder();
    if (!unit.isNested()) {
      // Nested columns cannot be selected by name: cudf 26.08.1 asks for options of their children.
      unit.columns().forEach(options::includeColumn);
    }
    options.withTimeUnit(DType.TIMESTAMP_MICROSECONDS);
    return options.build();
  }

  /**
   * All rows of a unit in one table, decoded by libcudf's {@link ai.rapids.cudf.HybridScanReader},
   * which does no I/O of its own.
   */
  static final class WholeTable implements DecodedTables {
    private final UnitUpload upload;
    private boolean decoded;

    WholeTable(UnitUpload upload) {
      this.upload = upload;
    }

    @Override
    public @Nullable Table next() {
      if (decoded) {
        return null;
      }
      decoded = true;
      ReadUnit unit = upload.unit();
      try (HybridScan scan = HybridScan.of(upload)) {
        Table table = scan.reader().materializeAllColumns(unit.rowGroups(), scan.columnChunks());
        return NonEmptyNulls.mayOccur(unit) ? NonEmptyNulls.purge(table) : table;
      }
    }

    @Override
    public void close() {}
  }

  /**
   * Tables of a chunked unit, decoded by libcudf's {@link ai.rapids.cudf.HybridScanReader} from the
   * uploaded column chunks. In cudf 26.08.1 that takes one row group of flat columns, without
   * deltas and without Zstd pages of version 2.
   */
  static final class HybridChunkedTables implements DecodedTables {
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
      HybridScan started = HybridScan.of(upload);
      scan = started;
      ReadUnit unit = upload.unit();
      long inWork = decoding.passReadLimit(unit.outputChunkBytes(), started.encodedBytes());
      started
          .reader()
          .setupChunkingForAllColumns(
              unit.outputChunkBytes(), inWork, unit.rowGroups(), started.columnChunks());
      return started;
    }

    @Override
    public void close() {
      if (scan != null) {
        scan.close();
      }
    }
  }
}
