package io.mooring.parquet.read;

import ai.rapids.cudf.ByteRange;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.HybridScanReader;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;

/**
 * A reader of libcudf's for one unit, and the unit's column chunks on the device as that reader
 * wants them. Not thread-safe.
 */
final class HybridScan implements AutoCloseable {
  private final HybridScanReader reader;
  private final DeviceMemoryBuffer[] chunks;
  private final long encodedBytes;

  private HybridScan(HybridScanReader reader, DeviceMemoryBuffer[] chunks, long encodedBytes) {
    this.reader = reader;
    this.chunks = chunks;
    this.encodedBytes = encodedBytes;
  }

  /** Of a unit whose bytes are on the device; the upload has to outlive it. */
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
        chunks[i] = SparseChunkAssembler.chunk(upload, range);
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
  DeviceMemoryBuffer[] chunks() {
    return chunks;
  }

  /** Encoded bytes of all column chunks. */
  long encodedBytes() {
    return encodedBytes;
  }

  private static HybridScanReader reader(ReadUnit unit) {
    byte[] thrift = footer(unit);
    try (HostMemoryBuffer bytes = HostMemoryBuffer.allocateRaw(thrift.length)) {
      bytes.setBytes(0, thrift, 0, thrift.length);
      return new HybridScanReader(bytes, UnitOptions.of(unit));
    }
  }

  private static byte[] footer(ReadUnit unit) {
    try {
      return ThinnedFooter.thrift(unit);
    } catch (IOException e) {
      throw ThinnedFooter.unwritable(unit, e);
    }
  }

  @Override
  public void close() {
    close(reader, chunks);
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
}
