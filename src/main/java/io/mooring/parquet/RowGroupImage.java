package io.mooring.parquet;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import io.mooring.jni.TransferJni;

/** Puts the file of a row group together in host memory, of column chunks on the device. */
final class RowGroupImage {
  private static final int DEVICE_TO_HOST = 2;
  private static final long PER_THREAD_STREAM = 2;

  private RowGroupImage() {}

  /**
   * The bytes of the file, which the caller closes.
   *
   * @param upload whose bytes are on the device
   */
  static HostMemoryBuffer of(UnitUpload upload, RowGroupFile file) {
    // cudf Java has no way to a buffer of its type over memory of the pool.
    HostMemoryBuffer image = HostMemoryBuffer.allocateRaw(file.length());
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

  private static void copy(UnitUpload upload, RowGroupFile.Chunk chunk, HostMemoryBuffer image) {
    try (DeviceMemoryBuffer device = ThinnedUpload.chunk(upload, chunk.range())) {
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
