package io.mooring.parquet.read;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.source.FileRange;

/** Puts sparse chunks together on the device, out of what was uploaded and of placeholders. */
public final class SparseChunkAssembler {
  private SparseChunkAssembler() {}

  /**
   * The bytes of a chunk as they are decoded; the caller closes them.
   *
   * @param range of the chunk; of a sparse one as long as it is decoded
   */
  public static DeviceMemoryBuffer chunk(UnitUpload upload, FileRange range) {
    SparseColumnChunk sparse = upload.unit().sparseChunks().get(range.offset());
    return sparse == null
        ? upload.slice(range.offset(), range.length())
        : assembled(upload, sparse);
  }

  private static DeviceMemoryBuffer assembled(UnitUpload upload, SparseColumnChunk chunk) {
    try (DeviceMemoryBuffer whole =
            DeviceMemoryBuffer.allocate(chunk.length() + UnitUpload.PADDING_BYTES);
        DeviceMemoryBuffer placeholders = placeholders(chunk)) {
      long at = 0;
      long placeholdersAt = 0;
      for (SparseColumnChunk.Part part : chunk.parts()) {
        if (part instanceof SparseColumnChunk.Kept kept) {
          FileRange range = kept.range();
          try (DeviceMemoryBuffer bytes = upload.slice(range.offset(), range.length())) {
            copy(whole, at, bytes, 0, range.length());
          }
        } else {
          copy(whole, at, placeholders, placeholdersAt, part.length());
          placeholdersAt += part.length();
        }
        at += part.length();
      }
      // The slice keeps the memory.
      return whole.slice(0, chunk.length());
    }
  }

  /** In the order of the thread's stream, as the decoder reads and the memory is freed. */
  private static void copy(
      DeviceMemoryBuffer to, long at, DeviceMemoryBuffer from, long start, long bytes) {
    to.copyFromDeviceBufferAsync(at, from, start, bytes, Cuda.DEFAULT_STREAM);
  }

  /** All placeholders of a chunk, one behind the other, in one copy. */
  private static DeviceMemoryBuffer placeholders(SparseColumnChunk chunk) {
    long bytes =
        chunk.parts().stream()
            .filter(SparseColumnChunk.Placeholders.class::isInstance)
            .mapToLong(SparseColumnChunk.Part::length)
            .sum();
    DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(bytes);
    try (HostMemoryBuffer host = HostMemoryBuffer.allocateRaw(bytes)) {
      long at = 0;
      for (SparseColumnChunk.Part part : chunk.parts()) {
        if (part instanceof SparseColumnChunk.Placeholders placeholders) {
          host.setBytes(at, placeholders.pages(), 0, placeholders.pages().length);
          at += placeholders.pages().length;
        }
      }
      device.copyFromHostBuffer(host);
      return device;
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
  }
}
