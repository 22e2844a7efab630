package io.mooring.parquet;

import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * A few MiB of a unit: read into one host buffer, copied to its place on the device. Used by one
 * I/O thread.
 */
final class UploadPiece {
  private static final int HOST_TO_DEVICE = 1;
  private static final long PER_THREAD_STREAM = 2;

  private final UnitUpload upload;
  private final FileSource source;
  private final FileRange range;
  private final long deviceAddress;
  private @Nullable HostBuffer buffer;
  private long event;

  UploadPiece(UnitUpload upload, FileSource source, FileRange range, long deviceAddress) {
    this.upload = upload;
    this.source = source;
    this.range = range;
    this.deviceAddress = deviceAddress;
  }

  /** Reads and starts the copy; false when there is nothing to wait for. */
  boolean start() {
    if (upload.cancelled()) {
      upload.pieceDone();
      return false;
    }
    try {
      readAndCopy();
      return true;
    } catch (Throwable e) {
      release();
      upload.pieceFailed(e);
      return false;
    }
  }

  private void readAndCopy() throws Exception {
    long asked = System.nanoTime();
    HostBuffer host = HostMemory.allocate(range.length());
    buffer = host;
    long allocated = System.nanoTime();
    source.readFully(range.offset(), host.address(), range.length());
    long read = System.nanoTime();
    TransferJni.copyAsync(
        deviceAddress, host.address(), range.length(), HOST_TO_DEVICE, PER_THREAD_STREAM);
    event = TransferJni.createEvent();
    TransferJni.recordEvent(event, PER_THREAD_STREAM);
    upload.counters().read(range.length(), host.isPinned(), read - allocated, allocated - asked);
  }

  /** Waits for the copy and gives the host buffer back. */
  void finish() {
    long before = System.nanoTime();
    try {
      TransferJni.syncEvent(event);
      upload.counters().upload(System.nanoTime() - before);
      upload.pieceDone();
    } catch (Throwable e) {
      upload.pieceFailed(e);
    } finally {
      release();
    }
  }

  private void release() {
    if (event != 0) {
      TransferJni.destroyEvent(event);
      event = 0;
    }
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
