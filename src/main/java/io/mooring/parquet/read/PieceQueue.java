package io.mooring.parquet.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of one device's I/O threads: those that wait for a buffer, the slices that are to be
 * read, and the copies in flight. Thread-safe.
 */
final class PieceQueue {
  /** What a thread is to do next. */
  sealed interface Work {
    /** A piece needs its buffer; {@link #opened} or {@link #closed} follows. */
    record Open(UploadPiece piece) implements Work {}

    record Read(PieceSlice slice) implements Work {}

    /** The oldest copy is to be waited for; {@link #closed} follows. */
    record Finish(UploadPiece piece) implements Work {}
  }

  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<QueuedPiece> waiting = new PriorityQueue<>();
  private final Deque<PieceSlice> toRead = new ArrayDeque<>();
  private final Deque<UploadPiece> copies = new ArrayDeque<>();
  private long openBytes;

  /**
   * @param mostBytes of pieces that have, or are about to have, a buffer; one may exceed it alone
   */
  PieceQueue(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void submit(List<QueuedPiece> pieces) {
    lock.lock();
    try {
      waiting.addAll(pieces);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is something to do. Slices first: pieces that are complete free memory. */
  Work next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Work work = poll();
        if (work != null) {
          return work;
        }
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Work poll() {
    if (!toRead.isEmpty()) {
      return new Work.Read(toRead.remove());
    } else if (mayOpen()) {
      UploadPiece piece = waiting.remove().piece();
      openBytes += piece.bytes();
      return new Work.Open(piece);
    }
    return copies.isEmpty() ? null : new Work.Finish(copies.remove());
  }

  private boolean mayOpen() {
    if (waiting.isEmpty()) {
      return false;
    }
    UploadPiece next = waiting.element().piece();
    // One that nobody wants takes no memory, and somebody waits for its end.
    return openBytes == 0 || openBytes + next.bytes() <= mostBytes || next.isGivenUp();
  }

  /** A piece has its buffer: its slices can be read. */
  void opened(UploadPiece piece) {
    lock.lock();
    try {
      toRead.addAll(piece.slices());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A piece's copy has been started; later ones are in flight behind it. */
  void copying(UploadPiece piece) {
    lock.lock();
    try {
      copies.add(piece);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the oldest copy out, or null; {@link #closed} or {@link #notCopied} follows. */
  @Nullable UploadPiece takeOldestCopy() {
    lock.lock();
    try {
      return copies.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Puts back what {@link #takeOldestCopy} gave. */
  void notCopied(UploadPiece piece) {
    lock.lock();
    try {
      copies.addFirst(piece);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** A piece is done with, and its buffer given back. */
  void closed(UploadPiece piece) {
    lock.lock();
    try {
      openBytes -= piece.bytes();
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
