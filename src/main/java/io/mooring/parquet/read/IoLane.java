package io.mooring.parquet.read;

import io.mooring.parquet.read.PieceQueue.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Some I/O threads and the queue that they work off. A thread reads slices while the copies of
 * earlier pieces are in flight; with nothing to read it waits for a copy, so that no unit is held
 * up. Thread-safe.
 */
final class IoLane {
  private static final Logger LOG = LoggerFactory.getLogger(IoLane.class);

  private final PieceQueue queue;
  private final Predicate<UploadPiece> startCopy;
  private final AtomicLong submitted = new AtomicLong();

  /**
   * Starts {@code threads} daemon threads, which live as long as the process; fewer where the
   * system allows no more.
   *
   * @param name of the threads, before their number
   * @param bufferBytes most bytes of host buffers in use at a time
   * @param startCopy starts the copy of a piece that has been read; false when there is none to
   *     wait for
   * @throws OutOfMemoryError when the system allows not even one thread
   */
  IoLane(String name, int threads, long bufferBytes, Predicate<UploadPiece> startCopy) {
    this(name, threads, bufferBytes, startCopy, Thread::start);
  }

  /**
   * @param start starts a thread
   */
  IoLane(
      String name,
      int threads,
      long bufferBytes,
      Predicate<UploadPiece> startCopy,
      Consumer<Thread> start) {
    this.queue = new PieceQueue(bufferBytes);
    this.startCopy = startCopy;
    int started = 0;
    while (started < threads && isStarted(name, started, start)) {
      started++;
    }
  }

  private boolean isStarted(String name, int number, Consumer<Thread> start) {
    Thread thread = new Thread(this::work, name + number);
    thread.setDaemon(true);
    try {
      start.accept(thread);
      return true;
    } catch (OutOfMemoryError e) {
      if (number == 0) {
        throw e;
      }
      LOG.warn("The system allows only {} threads {}", number, name, e);
      return false;
    }
  }

  /**
   * Submits pieces of a unit; no other unit's come between them.
   *
   * @param ahead how many units the task uses before this one
   */
  void submit(List<UploadPiece> pieces, int ahead) {
    long first = submitted.getAndAdd(pieces.size());
    List<PieceQueue.Waiting> waiting = new ArrayList<>();
    for (UploadPiece piece : pieces) {
      waiting.add(new PieceQueue.Waiting(piece, ahead, first + waiting.size()));
    }
    queue.submit(waiting);
  }

  private void work() {
    while (true) {
      try {
        step();
      } catch (InterruptedException e) {
        LOG.warn("An I/O thread was interrupted and continues");
      } catch (RuntimeException | Error e) {
        // Tasks wait for what is in the queue: this thread must not end.
        LOG.error("An I/O thread continues after an error", e);
      }
    }
  }

  private void step() throws InterruptedException {
    finishIfCopied();
    Work work = queue.next();
    if (work instanceof Work.Read read) {
      read(read.slice());
    } else if (work instanceof Work.Open open) {
      open(open.piece());
    } else if (work instanceof Work.Finish finish) {
      finish(finish.piece());
    }
  }

  private void finishIfCopied() {
    UploadPiece oldest = queue.takeOldestCopy();
    if (oldest == null) {
      return;
    }
    // Asked without the queue's lock: the CUDA driver may take its time.
    if (oldest.isCopied()) {
      finish(oldest);
    } else {
      queue.notCopied(oldest);
    }
  }

  private void read(UploadPiece.Slice slice) {
    UploadPiece piece = slice.piece();
    if (piece.read(slice)) {
      copy(piece);
    }
  }

  private void copy(UploadPiece piece) {
    boolean started = false;
    try {
      started = startCopy.test(piece);
    } finally {
      if (started) {
        queue.copying(piece);
      } else {
        queue.closed(piece);
      }
    }
  }

  private void open(UploadPiece piece) {
    // Before this thread waits for memory, it finishes copies: possibly no other thread would free
    // their buffers.
    while (!piece.takeBuffer(false)) {
      UploadPiece oldest = queue.takeOldestCopy();
      if (oldest == null) {
        piece.takeBuffer(true);
        break;
      }
      finish(oldest);
    }
    queue.opened(piece);
  }

  private void finish(UploadPiece piece) {
    try {
      piece.finish();
    } catch (RuntimeException | Error e) {
      // The failure was reported to the upload: this thread must continue.
      LOG.error("An I/O thread could not give everything back", e);
    } finally {
      queue.closed(piece);
    }
  }
}
