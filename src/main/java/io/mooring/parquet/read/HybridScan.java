package io.mooring.parquet.read;

import ai.rapids.cudf.ByteRange;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.ParquetOptions;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.io.UncheckedIOException;

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
    boolean made = false;
    try {
      ByteRange[] ranges = reader.allColumnChunksByteRanges(upload.unit().rowGroups());
      chunks = new DeviceMemoryBuffer[ranges.length];
      long bytes = 0;
      for (int i = 0; i < ranges.length; i++) {
        FileRange range = new FileRange(ranges[i].offset(), ranges[i].size());
        chunks[i] = SparseChunkAssembler.columnChunk(upload, range);
        bytes += ranges[i].size();
      }
      made = true;
      return new HybridScan(reader, chunks, bytes);
    } finally {
      if (!made) {
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
}
