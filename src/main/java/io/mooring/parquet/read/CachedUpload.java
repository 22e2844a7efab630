package io.mooring.parquet.read;

import io.mooring.jni.TransferJni;
import io.mooring.parquet.unit.ScanCounters.Counter;

/** The copies of a unit's cached bytes to the device, all enqueued at once. */
final class CachedUpload {
  private final CachedParts parts;
  private final UploadState upload;
  private final DeviceCopy copy;

  private CachedUpload(CachedParts parts, UploadState upload, DeviceCopy copy) {
    this.parts = parts;
    this.upload = upload;
    this.copy = copy;
  }

  /**
   * Enqueues the copies; {@link #finish} follows.
   *
   * @param to for each of the parts its address on the device
   */
  static CachedUpload start(
      Runnable useDevice, CachedParts parts, long[] to, UploadState upload, long stream) {
    int count = 0;
    long[] from = new long[to.length];
    long[] bytes = new long[to.length];
    for (int i = 0; i < to.length; i++) {
      CachedParts.Part part = parts.parts().get(i);
      int last = count - 1;
      if (last >= 0
          && to[last] + bytes[last] == to[i]
          && from[last] + bytes[last] == part.address()) {
        bytes[last] += part.range().length();
      } else {
        to[count] = to[i];
        from[count] = part.address();
        bytes[count] = part.range().length();
        count++;
      }
    }
    return new CachedUpload(parts, upload, copy(useDevice, to, from, bytes, count, upload, stream));
  }

  private static DeviceCopy copy(
      Runnable useDevice,
      long[] to,
      long[] from,
      long[] bytes,
      int count,
      UploadState upload,
      long stream) {
    // Always true here: the thread that starts an upload is the only one that cancels it.
    upload.beginCopy();
    boolean started = false;
    try {
      DeviceCopy copy =
          DeviceCopy.start(
              useDevice,
              stream,
              () -> {
                for (int i = 0; i < count; i++) {
                  TransferJni.copyAsync(
                      to[i], from[i], bytes[i], TransferJni.HOST_TO_DEVICE, stream);
                }
              });
      started = true;
      return copy;
    } finally {
      if (!started) {
        upload.endCopy();
      }
    }
  }

  /** Waits for the copies and lets the cached bytes go; failures are the upload's. */
  void finish() {
    Throwable failure = null;
    long before = System.nanoTime();
    try {
      copy.await();
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      upload.counters().add(Counter.UPLOAD_WAIT, System.nanoTime() - before);
      copy.close();
      parts.release();
      upload.endCopy();
    }
    if (failure == null) {
      upload.pieceDone();
    } else {
      upload.pieceFailed(failure);
    }
  }
}
