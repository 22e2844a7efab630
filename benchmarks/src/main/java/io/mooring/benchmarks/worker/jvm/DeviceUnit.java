package io.mooring.benchmarks.worker.jvm;

import ai.rapids.cudf.ByteRange;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.ParquetOptions;
import ai.rapids.cudf.Table;
import io.mooring.jni.FileJni;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A unit whose encoded bytes lie on the device, to be decoded again and again. */
final class DeviceUnit implements AutoCloseable {

  private static final long PIECE_BYTES = 4L << 20;

  // Decompressors read whole words past the end of a chunk.
  private static final long PADDING_BYTES = 64;

  private final ReadUnit unit;
  private final List<DeviceMemoryBuffer> buffers = new ArrayList<>();

  private DeviceUnit(ReadUnit unit) {
    this.unit = unit;
  }

  /** Uploads a unit; slow, and done before returning. */
  static DeviceUnit upload(ReadUnit unit) throws IOException {
    DeviceUnit uploaded = new DeviceUnit(unit);
    int descriptor = FileJni.open(unit.files().files().get(0).hadoopPath().toUri().getPath());
    try {
      for (FileRange range : unit.ranges()) {
        DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(range.length() + PADDING_BYTES);
        uploaded.buffers.add(device);
        copy(descriptor, range, device.getAddress());
      }
    } finally {
      FileJni.close(descriptor);
    }
    return uploaded;
  }

  private static void copy(int descriptor, FileRange range, long device) throws IOException {
    try (HostBuffer host = HostMemory.allocate(PIECE_BYTES)) {
      for (long done = 0; done < range.length(); done += PIECE_BYTES) {
        long bytes = Math.min(PIECE_BYTES, range.length() - done);
        long read = FileJni.read(descriptor, range.offset() + done, host.address(), bytes);
        if (read != bytes) {
          throw new IOException("a file ends before its footer says");
        }
        try {
          TransferJni.copyAsync(
              device + done,
              host.address(),
              bytes,
              TransferJni.HOST_TO_DEVICE,
              TransferJni.PER_THREAD_STREAM);
        } finally {
          // Also after a failure: a part of a copy that was cut may be in flight.
          TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
        }
      }
    }
  }

  long encodedBytes() {
    return unit.encodedBytes();
  }

  /** Decodes a unit as Mooring does, with a new reader for each call. */
  void decode() {
    try (HybridScanReader reader = reader()) {
      ByteRange[] ranges = reader.allColumnChunksByteRanges(unit.rowGroups());
      DeviceMemoryBuffer[] chunks = new DeviceMemoryBuffer[ranges.length];
      try {
        for (int i = 0; i < ranges.length; i++) {
          chunks[i] = slice(ranges[i].offset(), ranges[i].size());
        }
        try (Table table = reader.materializeAllColumns(unit.rowGroups(), chunks)) {
          if (table.getRowCount() != unit.rows()) {
            throw new IllegalStateException("rows were lost in " + unit.files());
          }
        }
      } finally {
        closeAll(chunks);
      }
    }
  }

  private HybridScanReader reader() {
    byte[] thrift = unit.footer().thrift();
    ParquetOptions.Builder options = ParquetOptions.builder();
    unit.columns().forEach(options::includeColumn);
    options.withTimeUnit(DType.TIMESTAMP_MICROSECONDS);
    try (HostMemoryBuffer bytes = HostMemoryBuffer.allocateRaw(thrift.length)) {
      bytes.setBytes(0, thrift, 0, thrift.length);
      return new HybridScanReader(bytes, options.build());
    }
  }

  private DeviceMemoryBuffer slice(long offset, long length) {
    for (int i = 0; i < buffers.size(); i++) {
      FileRange range = unit.ranges().get(i);
      if (offset >= range.offset() && offset + length <= range.offset() + range.length()) {
        return buffers.get(i).slice(offset - range.offset(), length);
      }
    }
    throw new IllegalStateException("the decoder asks for bytes that were not read");
  }

  private static void closeAll(DeviceMemoryBuffer[] buffers) {
    for (DeviceMemoryBuffer buffer : buffers) {
      if (buffer != null) {
        buffer.close();
      }
    }
  }

  @Override
  public void close() {
    buffers.forEach(DeviceMemoryBuffer::close);
    buffers.clear();
  }
}
