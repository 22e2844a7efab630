package io.mooring.parquet.read;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.source.FileRange;

/** Assembles column chunks on the device from the uploaded pages and placeholder pages. */
final class SparseChunkAssembler {
  private SparseChunkAssembler() {}

  /**
   * The bytes of a column chunk as they are decoded; the caller closes them.
   *
   * @param range of the chunk; for a sparse chunk as long as it is decoded
   */
  static DeviceMemoryBuffer columnChunk(UnitUpload upload, FileRange range) {
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
        if (part instanceof SparseColumnChunk.StoredPages stored) {
          FileRange range = stored.range();
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

  /** Copies on the thread's stream, on which the decoder reads and the memory is freed. */
  private static void copy(
      DeviceMemoryBuffer to, long at, DeviceMemoryBuffer from, long start, long bytes) {
    to.copyFromDeviceBufferAsync(at, from, start, bytes, Cuda.DEFAULT_STREAM);
  }

  /** All placeholder pages of a chunk, one after the other, uploaded by one copy. */
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
