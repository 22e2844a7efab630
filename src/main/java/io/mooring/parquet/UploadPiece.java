package io.mooring.parquet;

import io.mooring.jni.FileJni;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.ScanCounters.Counter;
import io.mooring.parquet.bytes.FileRange;
import io.mooring.parquet.verify.PieceVerification;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few MiB of a unit: read into one host buffer, copied to its place on the device. Used by one
 * I/O thread, which calls {@link #takeBuffer}, {@link #start} and, if that says so, {@link
 * #finish}; whatever fails is reported to the upload, never thrown.
 */
final class UploadPiece {
  private static final Logger LOG = LoggerFactory.getLogger(UploadPiece.class);
  private static final int HOST_TO_DEVICE = 1;

  private final UnitUpload upload;
  private final UnitSources sources;
  private final FileRange range;
  private final PieceVerification verification;
  private final long deviceAddress;
  private final long stream;
  private @Nullable HostBuffer buffer;
  private @Nullable Throwable failure;
  private long waitedNanos;
  private long event;
  private boolean copying;

  UploadPiece(
      UnitUpload upload, UnitSources sources, FileRange range, long deviceAddress, long stream) {
    this.upload = upload;
    this.sources = sources;
    this.range = range;
    this.verification = upload.verification().of(range);
    this.deviceAddress = deviceAddress;
    this.stream = stream;
  }

  /** Takes the host buffer; false when one may come only after a wait and that is not allowed. */
  boolean takeBuffer(boolean mayWait) {
    if (upload.cancelled()) {
      return true;
    }
    long before = System.nanoTime();
    try {
      buffer =
          mayWait || !PinnedPool.isStarted()
              ? HostMemory.allocate(range.length())
              : HostMemory.tryAllocatePinned(range.length());
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    waitedNanos += System.nanoTime() - before;
    return buffer != null || failure != null;
  }

  /**
   * Reads and starts the copy; false when there is nothing to wait for.
   *
   * @param useDevice makes the device current; cheap when it is
   */
  boolean start(Runnable useDevice) {
    HostBuffer host = buffer;
    if (host != null && !upload.cancelled()) {
      try {
        readAndCopy(host, useDevice);
        return true;
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
        stopCopy();
      }
    }
    report();
    return false;
  }

  private void readAndCopy(HostBuffer host, Runnable useDevice) throws IOException {
    long before = System.nanoTime();
    sources.readFully(range, host.address());
    long read = System.nanoTime();
    useDevice.run();
    event = TransferJni.createEvent();
    copying = true;
    TransferJni.copyAsync(deviceAddress, host.address(), range.length(), HOST_TO_DEVICE, stream);
    TransferJni.recordEvent(event, stream);
    upload.counters().read(range.length(), host.isPinned(), read - before, waitedNanos);
    // The copy is on its way meanwhile: only decoding has to wait for what is found here.
    verify(host);
  }

  private void verify(HostBuffer host) {
    if (!verification.isEmpty()) {
      long before = System.nanoTime();
      verification.read(FileJni.view(host.address(), range.length()));
      upload.counters().add(Counter.VERIFY_TIME, System.nanoTime() - before);
    }
  }

  private void finishVerifying() throws InterruptedException {
    if (verification.isOpen()) {
      long before = System.nanoTime();
      verification.finish(upload::cancelled);
      upload.counters().add(Counter.VERIFY_TIME, System.nanoTime() - before);
    }
  }

  /** After a failure: no copy may be in flight when the buffer goes back. */
  private void stopCopy() {
    if (copying) {
      try {
        TransferJni.syncStream(stream);
      } catch (RuntimeException e) {
        Objects.requireNonNull(failure).addSuppressed(e);
      }
    }
  }

  /** Waits for the copy and gives the host buffer back. */
  void finish() {
    long before = System.nanoTime();
    try {
      TransferJni.syncEvent(event);
      upload.counters().upload(System.nanoTime() - before);
      finishVerifying();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = new InterruptedIOException("An I/O thread was interrupted");
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    report();
  }

  /** Releases first, so that a task that has its bytes finds the buffers back in the pool. */
  private void report() {
    try {
      release();
    } finally {
      Throwable e = failure;
      if (e == null) {
        upload.pieceDone();
      } else {
        upload.pieceFailed(e);
      }
    }
  }

  private void release() {
    verification.takeBack();
    if (event != 0) {
      try {
        TransferJni.destroyEvent(event);
      } catch (RuntimeException e) {
        LOG.debug("An event could not be destroyed", e);
      }
      event = 0;
    }
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
