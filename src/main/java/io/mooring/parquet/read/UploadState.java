package io.mooring.parquet.read;

import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.verify.UnitVerification;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of one upload's pieces: the open files, the verification of pages, and how far
 * the upload is. Thread-safe.
 */
final class UploadState {
  private final UnitSources sources;
  private final UnitVerification verification;
  private final ScanCounters counters;
  private final CountDownLatch pending;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean cancelled;

  /**
   * @param pieces each of which ends with {@link #pieceDone} or {@link #pieceFailed}
   */
  UploadState(
      UnitSources sources, UnitVerification verification, ScanCounters counters, int pieces) {
    this.sources = sources;
    this.verification = verification;
    this.counters = counters;
    this.pending = new CountDownLatch(pieces);
  }

  UnitSources sources() {
    return sources;
  }

  UnitVerification verification() {
    return verification;
  }

  ScanCounters counters() {
    return counters;
  }

  /** Whether nobody wants the bytes any more: the upload was cancelled or a piece has failed. */
  boolean isGivenUp() {
    return cancelled || failure.get() != null;
  }

  void cancel() {
    cancelled = true;
  }

  void pieceDone() {
    pending.countDown();
  }

  void pieceFailed(Throwable e) {
    failure.compareAndSet(null, e);
    pending.countDown();
  }

  /**
   * Waits until every piece has ended.
   *
   * @throws IOException the first failure of a piece; unchecked ones are thrown as they are
   */
  void await() throws IOException, InterruptedException {
    pending.await();
    Throwable e = failure.get();
    if (e instanceof IOException io) {
      throw io;
    } else if (e instanceof RuntimeException runtime) {
      throw runtime;
    } else if (e instanceof Error error) {
      throw error;
    }
  }

  /** Waits until every piece has ended, also when the thread is interrupted meanwhile. */
  void awaitUninterruptibly() {
    boolean interrupted = false;
    while (true) {
      try {
        pending.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
