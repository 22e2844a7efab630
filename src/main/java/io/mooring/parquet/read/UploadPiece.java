package io.mooring.parquet.read;

import io.mooring.jni.FileJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.SliceVerification;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Some MiB of a unit that share one host buffer: read into it slice by slice, then copied to the
 * device at once. One thread calls {@link #takeBuffer}, several call {@link #read}; the one that
 * read the last slice calls {@link #startCopy}, and any thread {@link #finish}. Failures are
 * reported to the {@link UploadState}, never thrown.
 */
final class UploadPiece {
  private final UploadState upload;
  private final FileRange range;
  private final long deviceAddress;
  private final long stream;
  private final List<Slice> slices = new ArrayList<>();
  private final AtomicInteger unread;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private @Nullable HostBuffer buffer;
  private long waitedNanos;
  private @Nullable DeviceCopy copy;
  private boolean copying;

  /**
   * A part of a piece that one thread reads at a time: small enough to stay in the core's cache
   * until it is verified, and for several threads to fill one piece.
   */
  record Slice(UploadPiece piece, FileRange range, SliceVerification verification) {}

  UploadPiece(UploadState upload, FileRange range, long deviceAddress, long stream) {
    this.upload = upload;
    this.range = range;
    this.deviceAddress = deviceAddress;
    this.stream = stream;
    for (FileRange slice : FileRanges.cut(range, upload.sources().sliceBytes(range))) {
      slices.add(new Slice(this, slice, upload.verification().of(slice)));
    }
    this.unread = new AtomicInteger(slices.size());
  }

  long bytes() {
    return range.length();
  }

  /** Whether it is read by one request to a store. */
  boolean byRequest() {
    return upload.sources().byRequests(range);
  }

  /** The slices in the order of the file; they are read once the piece has its buffer. */
  List<Slice> slices() {
    return slices;
  }

  /** Whether nobody wants the bytes any more: nothing is read or copied then. */
  boolean isGivenUp() {
    return failure.get() != null || upload.isGivenUp();
  }

  /** Takes a host buffer; false when there is none without a wait and waiting is not allowed. */
  boolean takeBuffer(boolean mayWait) {
    if (isGivenUp()) {
      return true;
    }
    long before = System.nanoTime();
    try {
      buffer =
          mayWait || !PinnedPool.isStarted()
              ? HostMemory.allocate(range.length())
              : HostMemory.tryAllocatePinned(range.length());
    } catch (RuntimeException | Error e) {
      failure.set(e);
    }
    waitedNanos += System.nanoTime() - before;
    return buffer != null || failure.get() != null;
  }

  /** Reads and verifies one slice; true when it was the last. */
  boolean read(Slice slice) {
    HostBuffer host = buffer;
    if (host != null && !isGivenUp()) {
      try {
        readInto(host, slice);
      } catch (IOException | RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }
    return unread.decrementAndGet() == 0;
  }

  private void readInto(HostBuffer host, Slice slice) throws IOException {
    long before = System.nanoTime();
    long bytes = slice.range().length();
    long address = host.address() + slice.range().offset() - range.offset();
    upload.sources().readFully(slice.range(), address);
    long read = System.nanoTime();
    upload.counters().read(bytes, host.isPinned(), read - before);
    if (!slice.verification().isEmpty()) {
      slice.verification().read(FileJni.view(address, bytes));
      upload.counters().add(Counter.VERIFY_TIME, System.nanoTime() - read);
    }
  }

  /**
   * Starts the copy once every slice has been read; false when there is nothing to wait for.
   *
   * @param useDevice makes the device current; cheap when it is
   */
  boolean startCopy(Runnable useDevice) {
    if (!isGivenUp() && upload.beginCopy()) {
      copying = true;
      try {
        HostBuffer host = Objects.requireNonNull(buffer);
        upload.counters().buffered(host.isPinned(), waitedNanos);
        copy = DeviceCopy.start(useDevice, deviceAddress, host.address(), range.length(), stream);
        return true;
      } catch (RuntimeException | Error e) {
        failure.set(e);
      }
    }
    report();
    return false;
  }

  /** Whether {@link #finish} would not have to wait for the copy. */
  boolean isCopied() {
    return copy == null || copy.isDone();
  }

  /** Waits for the copy and gives the host buffer back. */
  void finish() {
    try {
      awaitCopy();
      finishVerifying();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.set(new InterruptedIOException("An I/O thread was interrupted"));
    } catch (RuntimeException | Error e) {
      failure.set(e);
    }
    report();
  }

  private void awaitCopy() {
    DeviceCopy started = copy;
    if (started != null) {
      long before = System.nanoTime();
      started.await();
      upload.counters().add(Counter.UPLOAD_WAIT, System.nanoTime() - before);
    }
  }

  private void finishVerifying() throws InterruptedException {
    long before = System.nanoTime();
    for (Slice slice : slices) {
      SliceVerification verification = slice.verification();
      if (verification.isOpen()) {
        verification.finish(upload::isGivenUp);
      }
    }
    upload.counters().add(Counter.VERIFY_TIME, System.nanoTime() - before);
  }

  /** Releases first, so that a task that has its bytes finds the buffers back in the pool. */
  private void report() {
    try {
      release();
    } finally {
      if (copying) {
        upload.endCopy();
      }
      Throwable e = failure.get();
      if (e == null) {
        upload.pieceDone();
      } else {
        upload.pieceFailed(e);
      }
    }
  }

  private void release() {
    slices.forEach(slice -> slice.verification().takeBack());
    boolean isUploaded = copy != null && !isGivenUp();
    if (copy != null) {
      copy.close();
      copy = null;
    }
    HostBuffer last = buffer;
    buffer = null;
    if (last != null && isUploaded) {
      upload.cached().keep(range, last);
    } else if (last != null) {
      last.close();
    }
  }
}
