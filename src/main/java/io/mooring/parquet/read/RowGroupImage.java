package io.mooring.parquet.read;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostMemoryExhaustedException;

/** Puts the file of a row group together in host memory, of column chunks on the device. */
final class RowGroupImage {
  private static final int DEVICE_TO_HOST = 2;
  private static final long PER_THREAD_STREAM = 2;

  private RowGroupImage() {}

  /**
   * The bytes of the file, which the caller closes.
   *
   * @param upload whose bytes are on the device
   * @throws HostMemoryExhaustedException when the system has no memory for them
   */
  static HostMemoryBuffer of(UnitUpload upload, RowGroupFile file) {
    HostMemoryBuffer image = allocate(file.length());
    boolean made = false;
    try {
      image.setBytes(0, file.head(), 0, file.head().length);
      for (RowGroupFile.Chunk chunk : file.chunks()) {
        copy(upload, chunk, image);
      }
      image.setBytes(file.tailOffset(), file.tail(), 0, file.tail().length);
      made = true;
      return image;
    } finally {
      if (!made) {
        image.close();
      }
    }
  }

  /** Not of the pool: cudf Java has no way to a buffer of its type over foreign memory. */
  private static HostMemoryBuffer allocate(long bytes) {
    try {
      return HostMemoryBuffer.allocateRaw(bytes);
    } catch (OutOfMemoryError e) {
      // Not the device's, for whose want other things are done.
      throw new HostMemoryExhaustedException(
          String.format("The system has no %,d bytes for a row group to decode in chunks", bytes));
    }
  }

  private static void copy(UnitUpload upload, RowGroupFile.Chunk chunk, HostMemoryBuffer image) {
    try (DeviceMemoryBuffer device = SparseChunkAssembler.chunk(upload, chunk.range())) {
      try {
        TransferJni.copyAsync(
            image.getAddress() + chunk.offset(),
            device.getAddress(),
            chunk.range().length(),
            DEVICE_TO_HOST,
            PER_THREAD_STREAM);
      } finally {
        // After a failure too: no memory may be freed while it is copied.
        TransferJni.syncStream(PER_THREAD_STREAM);
      }
    }
  }
}
