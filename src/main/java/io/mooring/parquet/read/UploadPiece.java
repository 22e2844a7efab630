package io.mooring.parquet.read;

import io.mooring.jni.FileJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.source.UnitSources;
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
 * Some MiB of a unit: read slice by slice into one host buffer, then copied to their place on the
 * device at once. One thread calls {@link #takeBuffer}, several {@link #read}; the one that read
 * last starts the copy, and whichever thread then has it calls {@link #finish}. Whatever fails is
 * reported to the upload, never thrown.
 */
final class UploadPiece {
  private final UnitUpload upload;
  private final UnitSources sources;
  private final FileRange range;
  private final long deviceAddress;
  private final long stream;
  private final List<PieceSlice> slices = new ArrayList<>();
  private final AtomicInteger unread;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private @Nullable HostBuffer buffer;
  private long waitedNanos;
  private @Nullable DeviceCopy copy;

  UploadPiece(
      UnitUpload upload, UnitSources sources, FileRange range, long deviceAddress, long stream) {
    this.upload = upload;
    this.sources = sources;
    this.range = range;
    this.deviceAddress = deviceAddress;
    this.stream = stream;
    for (FileRange slice : FileRanges.cut(range, sources.sliceBytes(range))) {
      slices.add(new PieceSlice(this, slice, upload.verification().of(slice)));
    }
    this.unread = new AtomicInteger(slices.size());
  }

  long bytes() {
    return range.length();
  }

  /** Whether it is read by one request to a store. */
  boolean byRequest() {
    return sources.byRequests(range);
  }

  /** In the order of the file; each is to be read by somebody, once the piece has its buffer. */
  List<PieceSlice> slices() {
    return slices;
  }

  /** Whether nobody wants its bytes any more: reading goes quickly then, and nothing is copied. */
  boolean isGivenUp() {
    return failure.get() != null || upload.cancelled();
  }

  /** Takes the host buffer; false when one may come only after a wait and that is not allowed. */
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
  boolean read(PieceSlice slice) {
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

  private void readInto(HostBuffer host, PieceSlice slice) throws IOException {
    long before = System.nanoTime();
    long bytes = slice.range().length();
    long address = host.address() + slice.range().offset() - range.offset();
    sources.readFully(slice.range(), address);
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
    if (!isGivenUp()) {
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
    for (PieceSlice slice : slices) {
      SliceVerification verification = slice.verification();
      if (verification.isOpen()) {
        verification.finish(upload::cancelled);
      }
    }
    upload.counters().add(Counter.VERIFY_TIME, System.nanoTime() - before);
  }

  /** Releases first, so that a task that has its bytes finds the buffers back in the pool. */
  private void report() {
    try {
      release();
    } finally {
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
    if (copy != null) {
      copy.close();
      copy = null;
    }
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
