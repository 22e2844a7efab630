package io.mooring.parquet;

import ai.rapids.cudf.ByteRange;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.ParquetOptions;
import ai.rapids.cudf.Table;
import io.mooring.jni.FaultJni;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Decodes with libcudf's {@link HybridScanReader}, which does no I/O of its own. A reader serves
 * one call: in cudf 26.08.1 the second on the same reader writes through a null pointer.
 */
final class HybridTableDecoder implements TableDecoder {
  static {
    EmptyNulls.assertNothing();
  }

  @Override
  public Table decode(UnitUpload upload) {
    ReadUnit unit = upload.unit();
    FaultJni.decoding();
    try (HybridScanReader reader = reader(unit)) {
      ByteRange[] ranges = reader.allColumnChunksByteRanges(unit.rowGroups());
      DeviceMemoryBuffer[] chunks = new DeviceMemoryBuffer[ranges.length];
      try {
        for (int i = 0; i < ranges.length; i++) {
          chunks[i] = chunk(upload, ranges[i]);
        }
        Table table = reader.materializeAllColumns(unit.rowGroups(), chunks);
        return EmptyNulls.areInDoubt(unit) ? EmptyNulls.of(table) : table;
      } finally {
        closeAll(chunks);
      }
    }
  }

  private static DeviceMemoryBuffer chunk(UnitUpload upload, ByteRange range) {
    ThinnedChunk thinned = upload.unit().thinned().get(range.offset());
    return thinned == null
        ? upload.slice(range.offset(), range.size())
        : ThinnedUpload.assembled(upload, thinned);
  }

  private static byte[] footer(ReadUnit unit) {
    try {
      return unit.thinned().isEmpty() ? unit.footer().thrift() : ThinnedFooter.thrift(unit);
    } catch (IOException e) {
      throw new UncheckedIOException("The footer of " + unit.files() + " cannot be rewritten", e);
    }
  }

  private static HybridScanReader reader(ReadUnit unit) {
    byte[] thrift = footer(unit);
    ParquetOptions.Builder options = ParquetOptions.builder();
    if (!unit.isNested()) {
      // By name nested columns cannot be had: cudf 26.08.1 asks for options of their children.
      unit.columns().forEach(options::includeColumn);
    }
    options.withTimeUnit(DType.TIMESTAMP_MICROSECONDS);
    try (HostMemoryBuffer bytes = HostMemoryBuffer.allocateRaw(thrift.length)) {
      bytes.setBytes(0, thrift, 0, thrift.length);
      return new HybridScanReader(bytes, options.build());
    }
  }

  private static void closeAll(DeviceMemoryBuffer[] buffers) {
    for (DeviceMemoryBuffer buffer : buffers) {
      if (buffer != null) {
        buffer.close();
      }
    }
  }
}
