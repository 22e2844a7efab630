package io.mooring.parquet.read;

import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.verify.UnitVerification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of one upload's pieces: the open files, the verification of pages, the cache,
 * and how far the upload is. Thread-safe.
 */
final class UploadState {
  private static final long CHECK_MILLIS = 100;

  private final UnitSources sources;
  private final UnitVerification verification;
  private final CachedParts cached;
  private final ScanCounters counters;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private int pending;
  private int copying;
  private volatile boolean cancelled;
  private final List<Runnable> afterLast = new ArrayList<>();

  /**
   * @param pieces each of which ends with {@link #pieceDone} or {@link #pieceFailed}
   */
  UploadState(
      UnitSources sources,
      UnitVerification verification,
      CachedParts cached,
      ScanCounters counters,
      int pieces) {
    this.sources = sources;
    this.verification = verification;
    this.cached = cached;
    this.counters = counters;
    this.pending = pieces;
  }

  UnitSources sources() {
    return sources;
  }

  UnitVerification verification() {
    return verification;
  }

  CachedParts cached() {
    return cached;
  }

  ScanCounters counters() {
    return counters;
  }

  /** Whether nobody wants the bytes any more: the upload was cancelled or a piece has failed. */
  boolean isGivenUp() {
    return cancelled || failure.get() != null;
  }

  /** Gives the upload up: reads in progress are stopped, and no copy begins after this call. */
  void cancel() {
    synchronized (this) {
      cancelled = true;
      if (pending == 0) {
        return;
      }
    }
    sources.abort();
  }

  /** Begins a copy to the device; false where the device memory may be gone. */
  synchronized boolean beginCopy() {
    if (!cancelled) {
      copying++;
    }
    return !cancelled;
  }

  /** Ends a copy that was begun. */
  synchronized void endCopy() {
    copying--;
    notifyAll();
  }

  void pieceDone() {
    pieceEnded();
  }

  void pieceFailed(Throwable e) {
    failure.compareAndSet(null, e);
    pieceEnded();
  }

  private void pieceEnded() {
    synchronized (this) {
      pending--;
      notifyAll();
      if (pending > 0) {
        return;
      }
    }
    // Nothing is added once no piece is pending.
    afterLast.forEach(Runnable::run);
  }

  /** Runs something once every piece has ended: now, or on the thread that ends the last one. */
  void afterLastPiece(Runnable work) {
    synchronized (this) {
      if (pending > 0) {
        afterLast.add(work);
        return;
      }
    }
    work.run();
  }

  /**
   * Waits until every piece has ended.
   *
   * @param check called now and then; the wait ends with what it throws
   * @throws IOException the first failure of a piece; unchecked ones are thrown as they are
   */
  void await(Runnable check) throws IOException, InterruptedException {
    awaitPieces(check);
    Throwable e = failure.get();
    if (e instanceof IOException io) {
      throw io;
    } else if (e instanceof RuntimeException runtime) {
      throw runtime;
    } else if (e instanceof Error error) {
      throw error;
    }
  }

  private void awaitPieces(Runnable check) throws InterruptedException {
    while (isPending()) {
      check.run();
      synchronized (this) {
        if (pending > 0) {
          wait(CHECK_MILLIS);
        }
      }
    }
  }

  private synchronized boolean isPending() {
    return pending > 0;
  }

  /** Waits until no copy is in flight, also when the thread is interrupted meanwhile. */
  synchronized void awaitCopies() {
    boolean interrupted = false;
    while (copying > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
