package io.mooring.parquet.read;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The work of some I/O threads: pieces that wait for a buffer, slices to read, and copies in
 * flight. Thread-safe.
 */
final class PieceQueue {
  /** The next work of a thread. */
  sealed interface Work {
    /** Get a buffer for a piece; {@link #opened} follows. */
    record Open(UploadPiece piece) implements Work {}

    record Read(UploadPiece.Slice slice) implements Work {}

    /** Wait for the oldest copy; {@link #closed} follows. */
    record Finish(UploadPiece piece) implements Work {}
  }

  /**
   * A piece that waits for its buffer.
   *
   * @param ahead how many units its task uses before this one
   * @param number in the order in which pieces were submitted
   */
  record Waiting(UploadPiece piece, int ahead, long number) implements Comparable<Waiting> {
    private static final Comparator<Waiting> ORDER =
        Comparator.comparingInt(Waiting::ahead).thenComparingLong(Waiting::number);

    @Override
    public int compareTo(Waiting other) {
      return ORDER.compare(this, other);
    }
  }

  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
  private final Deque<UploadPiece.Slice> toRead = new ArrayDeque<>();
  private final Deque<UploadPiece> copies = new ArrayDeque<>();
  private long openBytes;

  /**
   * @param mostBytes of pieces that have a buffer or are about to; a single piece may exceed it
   */
  PieceQueue(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void submit(List<Waiting> pieces) {
    lock.lock();
    try {
      waiting.addAll(pieces);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is work. Slices come first: only complete pieces free memory. */
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
    // A piece that nobody wants takes no memory, and its upload waits for its end.
    return openBytes == 0 || openBytes + next.bytes() <= mostBytes || next.isGivenUp();
  }

  /** Queues the slices of a piece that has its buffer. */
  void opened(UploadPiece piece) {
    lock.lock();
    try {
      toRead.addAll(piece.slices());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Queues a piece whose copy has been started. */
  void copying(UploadPiece piece) {
    lock.lock();
    try {
      copies.add(piece);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes out the oldest copy, or null; {@link #closed} or {@link #notCopied} follows. */
  @Nullable UploadPiece takeOldestCopy() {
    lock.lock();
    try {
      return copies.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Puts back a piece that {@link #takeOldestCopy} gave. */
  void notCopied(UploadPiece piece) {
    lock.lock();
    try {
      copies.addFirst(piece);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a piece whose buffer has been given back. */
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
